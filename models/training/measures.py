"""What a student is measured by: log-spectral distance, waveform SNR, pitch and voicing."""

from dataclasses import dataclass

import numpy as np
import torch
from shards import Array

FRAME = 512
HOP = 128
QUIETEST_DB = -60
LOWEST_HZ, HIGHEST_HZ = 60, 420
VOICED_ABOVE = 0.5


def log_spectrum(samples: Array) -> Array:
    """Levels in dB, [frames, bins], never lower than 60 dB below the loudest."""
    spectrum = torch.stft(
        torch.from_numpy(samples), FRAME, HOP, window=torch.hann_window(FRAME), return_complex=True
    )
    levels = 20 * torch.log10(spectrum.abs() + 1e-9).numpy().T
    return np.maximum(levels, levels.max() + QUIETEST_DB)


def log_spectral_distance(made: Array, true: Array) -> float:
    """Root of the mean square difference over bins, mean over frames, in dB."""
    made_levels, true_levels = log_spectrum(made), log_spectrum(true)
    floor = true_levels.max() + QUIETEST_DB
    difference = np.maximum(made_levels, floor) - np.maximum(true_levels, floor)
    return float(np.sqrt((difference**2).mean(axis=1)).mean())


def signal_to_noise(made: Array, true: Array) -> float:
    """Of the waveforms, in dB."""
    return float(10 * np.log10((true**2).sum() / (((made - true) ** 2).sum() + 1e-9)))


def track_pitch(samples: Array, rate: int) -> Array:
    """Hz every 10 ms by normalised autocorrelation over 40 ms; 0 where no pitch is heard."""
    length, hop = int(0.04 * rate), rate // 100
    shortest, longest = rate // HIGHEST_HZ, rate // LOWEST_HZ
    padded = np.pad(samples, (length // 2, length + longest))
    starts = np.arange(0, len(samples), hop)
    frames = np.stack([padded[s : s + length + longest] for s in starts])
    size = 1 << (frames.shape[1] + length).bit_length()
    head = frames[:, :length] - frames[:, :length].mean(axis=1, keepdims=True)
    product = np.conj(np.fft.rfft(head, size)) * np.fft.rfft(frames, size)
    likeness = np.fft.irfft(product)[:, : longest + 1]
    energy = np.cumsum(np.pad(frames**2, ((0, 0), (1, 0))), axis=1)
    lags = np.arange(longest + 1)
    power = energy[:, lags + length] - energy[:, lags]
    likeness = likeness / np.sqrt(power * (head**2).sum(axis=1, keepdims=True) + 1e-9)
    inside = likeness[:, shortest:]
    best = inside.max(axis=1)
    # The first peak that is nearly the best: multiples of a period are as alike.
    lag = (inside >= 0.9 * best[:, None]).argmax(axis=1)
    while True:
        nearby = np.minimum(lag + 1, inside.shape[1] - 1)
        rises = np.take_along_axis(inside, nearby[:, None], 1) > np.take_along_axis(
            inside, lag[:, None], 1
        )
        if not rises.any():
            break
        lag = np.where(rises[:, 0], nearby, lag)
    is_loud = power[:, 0] > 1e-4 * power[:, 0].max()
    # Hiss is most alike at the shortest lag, which is no peak.
    return np.where((best > VOICED_ABOVE) & is_loud & (lag > 0), rate / (lag + shortest), 0.0)


def pitch_agreement(made: Array, true: Array, rate: int) -> tuple[float, float]:
    """Correlation of pitch where both are voiced, and the share of frames with another voicing."""
    one, other = track_pitch(made, rate), track_pitch(true, rate)
    both = (one > 0) & (other > 0)
    voicing_error = float(((one > 0) != (other > 0)).mean())
    if both.sum() < 3 or one[both].std() == 0 or other[both].std() == 0:
        return float("nan"), voicing_error
    return float(np.corrcoef(one[both], other[both])[0, 1]), voicing_error


@dataclass(frozen=True)
class Spoken:
    """The same text by student and teacher."""

    text: str
    made: Array
    true: Array


def describe(spoken: list[Spoken], rate: int) -> str:
    """Means over utterances."""
    figures = []
    for made, true in ((one.made, one.true) for one in spoken):
        pitch, voicing = pitch_agreement(made, true, rate)
        distance = log_spectral_distance(made, true)
        figures.append((distance, signal_to_noise(made, true), pitch, 100 * voicing))
    distance, ratio, pitch, voicing = np.nanmean(np.array(figures), axis=0)
    return (
        f"{len(spoken)} unseen utterances: lsd {distance:.2f} dB, snr {ratio:.2f} dB, "
        f"pitch {pitch:.3f}, voicing error {voicing:.1f} %"
    )
