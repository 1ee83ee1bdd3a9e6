"""The pulse train that drives the voiced part: harmonics of equal strength up to half the rate.

Its phase follows the teacher's own source: frame by frame the sum of pitch over frame rate, straight
lines between the middles of frames. So the student's pulses lie where the teacher's do.
"""

import math

import numpy as np
from shards import Array

#: Hz; below it the teacher's source is silent too.
VOICED_ABOVE = 10.0


def sample_phases(pitch: Array, frame_rate: float, hop: int, oversampling: int) -> Array:
    """Radians for each sample, from Hz for each frame.

    `oversampling` is the teacher's rate over ours: the first of its samples is where ours is.
    """
    ends = 2 * math.pi * np.cumsum(pitch.astype(np.float64)) / frame_rate
    places = (np.arange(len(pitch) * hop) * oversampling + 0.5) / (hop * oversampling) - 0.5
    return np.interp(places, np.arange(len(pitch)), ends)


def pulse_train(pitch: Array, frame_rate: float, hop: int, oversampling: int) -> Array:
    """[frames · hop] float32. The highest harmonic fades in, so that none begins with a click."""
    phase = sample_phases(pitch, frame_rate, hop, oversampling)
    steady = np.repeat(pitch.astype(np.float64), hop)
    is_voiced = steady > VOICED_ABOVE
    count = np.where(is_voiced, hop * frame_rate / 2 / np.maximum(steady, VOICED_ABOVE), 0.0)
    whole = np.floor(count)
    half = np.sin(phase / 2)
    is_pulse = np.abs(half) < 1e-6
    # The sum of cosines 1 … whole in closed form (Dirichlet's kernel).
    total = np.sin((whole + 0.5) * phase) / (2 * np.where(is_pulse, 1.0, half)) - 0.5
    total = np.where(is_pulse, whole, total)
    total += (count - whole) * np.cos((whole + 1) * phase)
    return np.where(is_voiced, total, 0.0).astype(np.float32)
