"""Distils the decoder of a Piper voice into a small one. Killed, it goes on where it last saved.

    python3 train_piper.py --data PAIRS --run FOLDER --steps 20000
"""

from pathlib import Path

import numpy as np
from loop import run_from_command_line
from losses import spectral_distance
from measures import Spoken, describe
from pairs import SHAPE, PiperPairs, whole
from student import SpectrumDecoder
from torch import Tensor, nn

BATCH, FRAMES = 16, 64
PHASE_WEIGHT = 0.5
TEST_UTTERANCES = 16


class Distillation:
    """Latents in, samples out, phase included."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reload()

    def reload(self) -> None:
        self.pairs = PiperPairs(self.folder)

    def loss(self, student: nn.Module, random: np.random.Generator) -> Tensor:
        latent, condition, true = self.pairs.batch(random, BATCH, FRAMES)
        return spectral_distance(student(latent, condition), true, PHASE_WEIGHT)

    def unseen(self, student: nn.Module, count: int) -> list[Spoken]:
        spoken = []
        for utterance in self.pairs.test[:count]:
            latent, condition, true = whole(utterance)
            made = student(latent, condition)[0].numpy()
            spoken.append(Spoken(utterance.facts["text"], made, true[0].numpy()))
        return spoken

    def measure(self, student: nn.Module) -> str:
        unseen = self.unseen(student, TEST_UTTERANCES)
        return f"{self.pairs.hours:.2f} hours, {describe(unseen, SHAPE.sample_rate)}"


if __name__ == "__main__":
    run_from_command_line(
        "Distils the decoder of a Piper voice.",
        lambda options: Distillation(options.data),
        lambda: SpectrumDecoder(SHAPE),
    )
