"""Kokoro's speech as its students read it: symbols, curves, a style, and samples at 8 kHz."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from pulses import VOICED_ABOVE, pulse_train
from scipy.signal import resample_poly
from shards import Array, Utterance, read_folder
from torch import Tensor

FRAME_RATE = 80
FRAMES_PER_DURATION = 2
TEACHER_HOP = 300
OVERSAMPLING = 3
HOP = TEACHER_HOP // OVERSAMPLING
SAMPLE_RATE = FRAME_RATE * HOP
#: Full scale of the stored samples is 2.
STORED_SCALE = 32_767 / 2
SYMBOLS = 178
STYLE_WIDTH = 256
#: The first half of a style is how the voice sounds, the second how it moves.
TIMBRE_WIDTH = 128
#: Pitch, voicing, energy, and the place within the symbol, from its start and from its end.
CURVES = 5
MARGIN = 30


@lru_cache(maxsize=None)
def voice_styles(path: Path) -> Array:
    """[510, 256]"""
    return np.fromfile(path, dtype="<f4").reshape(-1, STYLE_WIDTH)


@dataclass(frozen=True)
class Spoken:
    """One utterance, frame by frame."""

    utterance: Utterance
    style: Array
    #: For each frame, the symbol that it belongs to.
    owners: Array

    @staticmethod
    def of(utterance: Utterance, voices: Path) -> "Spoken":
        styles = voice_styles(voices / f"{utterance.facts['voice']}.bin")
        frames = utterance.arrays["durations"].astype(int) * FRAMES_PER_DURATION
        owners = np.repeat(np.arange(len(frames)), frames)
        return Spoken(utterance, styles[utterance.facts["styleRow"]], owners)

    @property
    def ids(self) -> Array:
        return self.utterance.arrays["ids"].astype(np.int64)

    @property
    def pitch(self) -> Array:
        return self.utterance.arrays["pitch"]

    def curves(self) -> Array:
        """[CURVES, frames]"""
        pitch, energy = self.pitch, self.utterance.arrays["energy"]
        is_voiced = pitch > VOICED_ABOVE
        height = np.where(is_voiced, np.log2(np.maximum(pitch, VOICED_ABOVE) / 160), 0)
        ends = np.cumsum(np.bincount(self.owners, minlength=len(self.ids)))[self.owners]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(self.owners)) + 1])
        starts = starts[np.searchsorted(starts, np.arange(len(self.owners)), "right") - 1]
        frames = np.arange(len(self.owners))
        place = (np.log1p(frames - starts) / 3, np.log1p(ends - 1 - frames) / 3)
        return np.stack([height, is_voiced, energy / 10, *place]).astype(np.float32)

    def samples(self, start: int, frames: int) -> Array:
        """Samples of a stretch of frames at 8 kHz; silence beyond the ends."""
        pcm = self.utterance.arrays["pcm"]
        first = start * TEACHER_HOP - MARGIN
        last = (start + frames) * TEACHER_HOP + MARGIN
        inside = pcm[max(0, first) : last].astype(np.float32) / STORED_SCALE
        padded = np.pad(inside, (max(0, -first), 0))
        padded = np.pad(padded, (0, last - first - len(padded)))
        return resample_poly(padded, 1, OVERSAMPLING)[
            MARGIN // OVERSAMPLING : -MARGIN // OVERSAMPLING
        ].astype(np.float32)

    def pulses(self) -> Array:
        return pulse_train(self.pitch, FRAME_RATE, HOP, OVERSAMPLING)


@dataclass(frozen=True)
class DecoderBatch:
    """Stretches of `frames` frames each, with all symbols of the utterance around."""

    ids: Tensor
    owners: Tensor
    curves: Tensor
    timbre: Tensor
    pulses: Tensor
    samples: Tensor


def cut(spoken: Spoken, start: int, frames: int) -> tuple[Array, ...]:
    """One stretch; what an utterance lacks behind its end is silence of its last symbol."""
    stretch = slice(start, start + frames)
    lack = max(0, start + frames - len(spoken.owners))
    owners = np.pad(spoken.owners[stretch], (0, lack), mode="edge")
    curves = np.pad(spoken.curves()[:, stretch], ((0, 0), (0, lack)))
    pulses = np.pad(spoken.pulses()[start * HOP : (start + frames) * HOP], (0, lack * HOP))
    return owners, curves, pulses, spoken.samples(start, frames)


def decoder_batch(stretches: list[tuple[Spoken, int]], frames: int) -> DecoderBatch:
    """Puts stretches of different utterances side by side; short lists of symbols end in zeros."""
    longest = max(len(spoken.ids) for spoken, _ in stretches)
    ids = np.stack([np.pad(one.ids, (0, longest - len(one.ids))) for one, _ in stretches])
    timbre = np.stack([one.style[:TIMBRE_WIDTH] for one, _ in stretches])
    cuts = (cut(one, start, frames) for one, start in stretches)
    parts = [torch.from_numpy(np.stack(part)) for part in zip(*cuts, strict=True)]
    owners, curves, pulses, samples = parts
    return DecoderBatch(
        torch.from_numpy(ids), owners, curves, torch.from_numpy(timbre), pulses, samples
    )


class KokoroSpeech:
    """What the teacher has spoken so far."""

    def __init__(self, folder: Path, voices: Path) -> None:
        spoken = [Spoken.of(one, voices) for one in read_folder(folder)]
        self.train = [one for one in spoken if not one.utterance.is_test]
        self.test = [one for one in spoken if one.utterance.is_test]
        lengths = np.array([len(one.owners) for one in self.train], dtype=float)
        self.hours = lengths.sum() / FRAME_RATE / 3600
        self.weights = lengths / lengths.sum()

    def batch(self, random: np.random.Generator, size: int, frames: int) -> DecoderBatch:
        stretches = []
        for index in random.choice(len(self.train), size, p=self.weights):
            spoken = self.train[index]
            start = int(random.integers(0, max(1, len(spoken.owners) - frames + 1)))
            stretches.append((spoken, start))
        return decoder_batch(stretches, frames)


class KokoroTask:
    """What a student learns from Kokoro's speech; `loss` and `measure` say what that is."""

    def __init__(self, folder: Path, voices: Path) -> None:
        self.folder, self.voices = folder, voices
        self.reload()

    def reload(self) -> None:
        """Reads the speech anew: more may have been made meanwhile."""
        self.speech = KokoroSpeech(self.folder, self.voices)
