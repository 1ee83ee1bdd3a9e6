"""Distils the decoder of a Piper voice into a small one. Killed, it goes on where it last saved.

    python3 train_piper.py --pairs FOLDER --run FOLDER --steps 20000
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from checkpoint import Run
from losses import spectral_distance
from measures import log_spectral_distance, pitch_agreement, signal_to_noise
from pairs import SHAPE, PiperPairs, whole
from student import SpectrumDecoder
from torch import nn

BATCH, FRAMES = 16, 64
LEARNING_RATE = 1e-3
PHASE_WEIGHT = 0.5
SAVE_EVERY, MEASURE_EVERY = 100, 500
TEST_UTTERANCES = 16


@torch.no_grad()
def measure(decoder: nn.Module, pairs: PiperPairs) -> str:
    """Figures over utterances that were kept from training."""
    figures = []
    for utterance in pairs.test[:TEST_UTTERANCES]:
        latent, condition, true = whole(utterance)
        made, true = decoder(latent, condition)[0].numpy(), true[0].numpy()
        pitch, voicing = pitch_agreement(made, true, SHAPE.sample_rate)
        distance = log_spectral_distance(made, true)
        figures.append((distance, signal_to_noise(made, true), pitch, 100 * voicing))
    distance, ratio, pitch, voicing = np.nanmean(np.array(figures), axis=0)
    return f"lsd {distance:.2f} dB, snr {ratio:.2f} dB, pitch {pitch:.3f}, voicing {voicing:.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    options.run.mkdir(parents=True, exist_ok=True)
    pairs = PiperPairs(options.pairs)
    run = Run(SpectrumDecoder(SHAPE), LEARNING_RATE, options.run / "decoder.pt")
    random = np.random.default_rng(run.step)
    print(f"step {run.step}, {pairs.hours:.2f} hours of pairs", flush=True)
    losses: list[float] = []
    start = time.process_time()
    while run.step < options.steps:
        latent, condition, true = pairs.batch(random, BATCH, FRAMES)
        loss = spectral_distance(run.student(latent, condition), true, PHASE_WEIGHT)
        loss.backward()
        run.advance()
        losses.append(loss.item())
        if run.step % SAVE_EVERY == 0:
            run.save()
            cpu = time.process_time() - start
            print(f"step {run.step}: loss {np.mean(losses):.3f}, CPU {cpu:.0f} s", flush=True)
            losses, start = [], time.process_time()
        if run.step % MEASURE_EVERY == 0:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            line = f"{stamp} step {run.step}: {measure(run.average, pairs)}"
            print(line, flush=True)
            # More may have been spoken meanwhile.
            pairs = PiperPairs(options.pairs)
            with (options.run / "curve.txt").open("a", encoding="utf-8") as curve:
                curve.write(line + "\n")


if __name__ == "__main__":
    main()
