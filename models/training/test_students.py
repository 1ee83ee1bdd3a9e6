"""What must hold before a day of training is spent: `python3 -m unittest` in this folder."""

import unittest

import numpy as np
import torch
from export_voice import LEAST_LIKENESS, likeness
from measures import signal_to_noise, track_pitch
from pairs import SHAPE as PIPER_SHAPE
from pairs import halve
from phonetic import SHAPE, PhoneVoice
from pulses import pulse_train
from speech import FRAME_RATE, HOP, OVERSAMPLING, SAMPLE_RATE
from student import ForwardTransform, InverseTransform, SpectrumDecoder

LONGEST_LOOK_AHEAD_MS = 60


class TransformTest(unittest.TestCase):
    def test_inverse_gives_samples_back(self) -> None:
        samples = torch.randn(1, 40 * HOP)
        forward, inverse = ForwardTransform(4 * HOP, HOP), InverseTransform(4 * HOP, HOP)
        back = inverse(forward(samples))
        inside = slice(4 * HOP, -4 * HOP)
        self.assertLess((back - samples)[0, inside].abs().max().item(), 1e-5)


class StreamTest(unittest.TestCase):
    @torch.no_grad()
    def test_stretches_equal_the_whole(self) -> None:
        decoder = PhoneVoice().decoder
        for weight in decoder.parameters():
            weight.add_(0.02 * torch.randn_like(weight))
        self.assertGreater(likeness(decoder, 60, [16, 7, 37]), LEAST_LIKENESS)

    @torch.no_grad()
    def test_samples_wait_for_no_more_than_the_look_ahead(self) -> None:
        decoder = SpectrumDecoder(PIPER_SHAPE)
        latent, condition = torch.randn(1, 192, 40), torch.randn(1, 256)
        first = decoder(latent, condition)
        reach = PIPER_SHAPE.look_ahead + 2
        latent[:, :, 20 + reach + 1 :] = 0
        same = 21 * PIPER_SHAPE.hop
        self.assertTrue(torch.equal(decoder(latent, condition)[:, :same], first[:, :same]))
        for shape in (SHAPE, PIPER_SHAPE):
            self.assertLessEqual(shape.look_ahead_ms, LONGEST_LOOK_AHEAD_MS)


class SignalTest(unittest.TestCase):
    def test_pulses_have_the_pitch_and_no_sound_where_unvoiced(self) -> None:
        pitch = np.concatenate([np.full(80, 125.0), np.zeros(20)])
        pulses = pulse_train(pitch, FRAME_RATE, HOP, OVERSAMPLING)
        heard = track_pitch(pulses[: 70 * HOP], SAMPLE_RATE)
        self.assertTrue((np.abs(heard[10:-10] - 125) < 1).all())
        self.assertEqual(np.abs(pulses[82 * HOP :]).max(), 0)

    def test_a_stretch_is_cut_where_the_whole_has_it(self) -> None:
        pcm = (8000 * np.sin(np.arange(20_000) ** 1.2 / 50)).astype(np.int16)
        whole, part = halve(pcm, 0, 20_480), halve(pcm, 2560, 5120)
        self.assertGreater(signal_to_noise(part, whole[1280 : 1280 + 2560]), 90)


if __name__ == "__main__":
    unittest.main()
