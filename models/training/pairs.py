"""Pairs for the distilled decoder: what a Piper voice's decoder read → what it made, at half its rate."""

from pathlib import Path

import numpy as np
import torch
from scipy.signal import resample_poly
from shards import Array, Utterance, read_folder
from student import DecoderShape
from torch import Tensor

LATENT_CHANNELS = 192
CONDITION_CHANNELS = 256
TEACHER_HOP = 256
FULL_SCALE = 32_767
#: Teacher samples on each side of a crop that the resampling filter reads.
MARGIN = 64

SHAPE = DecoderShape(LATENT_CHANNELS, CONDITION_CHANNELS, sample_rate=11_025, hop=TEACHER_HOP // 2)


def halve(pcm: Array, start: int, length: int) -> Array:
    """Samples `[start, start + length)` of the teacher, at half the rate; silence beyond its ends."""
    first, last = start - MARGIN, start + length + MARGIN
    inside = pcm[max(0, first) : max(0, last)].astype(np.float32) / FULL_SCALE
    around = (max(0, -first), max(0, last - max(0, first) - len(inside) - max(0, -first)))
    padded = np.pad(inside, around)[: length + 2 * MARGIN]
    return resample_poly(padded, 1, 2)[MARGIN // 2 : (MARGIN + length) // 2].astype(np.float32)


def latent_of(utterance: Utterance) -> Array:
    """[channels, frames]"""
    return utterance.arrays["latent"].reshape(LATENT_CHANNELS, -1)


class PiperPairs:
    """Crops for training, and whole utterances of texts that were kept from it."""

    def __init__(self, folder: Path) -> None:
        utterances = read_folder(folder)
        self.train = [one for one in utterances if not one.is_test]
        self.test = [one for one in utterances if one.is_test]
        self.weights = np.array([one.facts["frames"] for one in self.train], dtype=float)
        self.weights /= self.weights.sum()

    @property
    def hours(self) -> float:
        frames = sum(one.facts["frames"] for one in self.train)
        return frames * SHAPE.hop / SHAPE.sample_rate / 3600

    def crop(self, random: np.random.Generator, frames: int) -> tuple[Array, Array, Array]:
        """A random stretch: latent, condition, samples."""
        chosen = self.train[random.choice(len(self.train), p=self.weights)]
        latent = latent_of(chosen)
        start = int(random.integers(0, max(1, latent.shape[1] - frames + 1)))
        piece = latent[:, start : start + frames]
        piece = np.pad(piece, ((0, 0), (0, frames - piece.shape[1])))
        samples = halve(chosen.arrays["pcm"], start * TEACHER_HOP, frames * TEACHER_HOP)
        return piece, chosen.arrays["condition"], samples

    def batch(self, random: np.random.Generator, size: int, frames: int) -> tuple[Tensor, ...]:
        """[size, channels, frames], [size, condition], [size, samples]"""
        crops = [self.crop(random, frames) for _ in range(size)]
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*crops, strict=True))


def whole(utterance: Utterance) -> tuple[Tensor, Tensor, Tensor]:
    """One utterance as a batch of one."""
    latent = latent_of(utterance)
    samples = halve(utterance.arrays["pcm"], 0, latent.shape[1] * TEACHER_HOP)
    parts = (np.array(latent), np.array(utterance.arrays["condition"]), samples)
    latent_tensor, condition, waveform = (torch.from_numpy(part).unsqueeze(0) for part in parts)
    return latent_tensor, condition, waveform
