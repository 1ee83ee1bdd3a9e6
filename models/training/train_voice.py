"""Trains the decoder of the phone voice on Kokoro's speech. Killed, it goes on where it last saved.

    python3 train_voice.py --data SPEECH --voices VOICES --run FOLDER --steps 60000
"""

import numpy as np
import torch
from loop import run_from_command_line
from losses import spectral_distance
from measures import Spoken, describe
from phonetic import SHAPE, PhoneVoice
from speech import DecoderBatch, KokoroTask, decoder_batch
from torch import Tensor, nn

BATCH, FRAMES = 16, 64
#: Low: the pulses bring the right phase along, and hiss cannot have the teacher's.
PHASE_WEIGHT = 0.1
TEST_UTTERANCES = 16


def speak(student: nn.Module, batch: DecoderBatch) -> Tensor:
    """[batch, samples]"""
    noise = torch.randn(len(batch.ids), 2 * SHAPE.bins, batch.owners.shape[1])
    return student(batch.ids, batch.owners, batch.curves, batch.timbre, batch.pulses, noise)


class Imitation(KokoroTask):
    """The teacher's own durations, pitch and energy in, its samples out."""

    def loss(self, student: nn.Module, random: np.random.Generator) -> Tensor:
        batch = self.speech.batch(random, BATCH, FRAMES)
        return spectral_distance(speak(student, batch), batch.samples, PHASE_WEIGHT)

    def unseen(self, student: nn.Module, count: int) -> list[Spoken]:
        spoken = []
        for one in self.speech.test[:count]:
            batch = decoder_batch([(one, 0)], len(one.owners))
            made, true = speak(student, batch)[0].numpy(), batch.samples[0].numpy()
            spoken.append(Spoken(one.utterance.facts["text"], made, true))
        return spoken

    def measure(self, student: nn.Module) -> str:
        unseen = self.unseen(student, TEST_UTTERANCES)
        return f"{self.speech.hours:.2f} hours, {describe(unseen, SHAPE.sample_rate)}"


if __name__ == "__main__":
    run_from_command_line(
        "Trains the decoder of the phone voice.",
        lambda options: Imitation(options.data, options.voices),
        PhoneVoice,
    )
