"""Trains the text stage of the phone voice: durations, pitch and energy of symbols in a style.

    python3 train_prosody.py --data CURVES --voices VOICES --run FOLDER --steps 60000
"""

import numpy as np
import torch
from loop import run_from_command_line
from prosody import ProsodyBatch, TextStage, prosody_batch
from speech import KokoroTask
from torch import Tensor, nn
from torch.nn import functional

BATCH = 16
TEST_UTTERANCES = 64
#: Octaves of pitch count as much as this many logarithms of duration.
PITCH_WEIGHT, VOICING_WEIGHT, ENERGY_WEIGHT = 4.0, 0.5, 2.0


def distances(student: nn.Module, batch: ProsodyBatch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of log durations, pitch in octaves where voiced, voicing (cross entropy), energy."""
    durations, curves = student(batch.ids, batch.style, batch.owners, batch.places)
    height, voicing, energy = curves.unbind(1)
    true_height, is_voiced, true_energy = batch.curves.unbind(1)
    frames, symbols = batch.frame_mask, batch.symbol_mask
    voiced = frames * is_voiced
    return (
        ((durations - batch.durations.log()).abs() * symbols).sum() / symbols.sum(),
        ((height - true_height).abs() * voiced).sum() / voiced.sum(),
        (functional.binary_cross_entropy_with_logits(voicing, is_voiced, reduction="none") * frames)
        .sum() / frames.sum(),
        ((energy - true_energy).abs() * frames).sum() / frames.sum(),
    )  # fmt: skip


class Melody(KokoroTask):
    """The teacher's curves, and nothing of its sound."""

    def loss(self, student: nn.Module, random: np.random.Generator) -> Tensor:
        chosen = random.integers(0, len(self.speech.train), BATCH)
        duration, pitch, voicing, energy = distances(
            student, prosody_batch([self.speech.train[one] for one in chosen])
        )
        return duration + PITCH_WEIGHT * pitch + VOICING_WEIGHT * voicing + ENERGY_WEIGHT * energy

    def measure(self, student: nn.Module) -> str:
        batch = prosody_batch(self.speech.test[:TEST_UTTERANCES])
        duration, pitch, _, energy = distances(student, batch)
        durations, curves = student(batch.ids, batch.style, batch.owners, batch.places)
        height, voicing, _ = curves.unbind(1)
        true_height, is_voiced, _ = batch.curves.unbind(1)
        voiced = (batch.frame_mask * is_voiced) > 0
        likeness = torch.corrcoef(torch.stack([height[voiced], true_height[voiced]]))[0, 1]
        wrong = ((voicing > 0) != (is_voiced > 0)) & (batch.frame_mask > 0)
        total = (durations.exp() * batch.symbol_mask).sum() / (
            batch.durations * batch.symbol_mask
        ).sum()
        return (
            f"{self.speech.hours:.2f} hours, {len(batch.ids)} unseen utterances: durations off by "
            f"{100 * duration:.1f} % (length {total:.3f}), pitch off by {12 * pitch:.2f} semitones, "
            f"correlation {likeness:.3f}, voicing error {100 * wrong.sum() / batch.frame_mask.sum():.1f} %, "
            f"energy off by {10 * energy:.2f}"
        )


if __name__ == "__main__":
    run_from_command_line(
        "Trains the text stage of the phone voice.",
        lambda options: Melody(options.data, options.voices),
        TextStage,
    )
