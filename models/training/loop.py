"""The loop that every student is trained by: batches, losses, a checkpoint, a curve."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from checkpoint import Run
from torch import Tensor, nn

LEARNING_RATE = 1e-3
SAVE_EVERY, MEASURE_EVERY = 100, 500


class Task(Protocol):
    """What a student is to learn."""

    def reload(self) -> None:
        """Reads the data anew: more may have been made meanwhile."""

    def loss(self, student: nn.Module, random: np.random.Generator) -> Tensor:
        """The loss on a batch drawn at random."""

    def measure(self, student: nn.Module) -> str:
        """Figures on utterances that were kept from training."""


def train(task: Task, student: nn.Module, folder: Path, steps: int) -> None:
    """Trains until `steps`, from where the folder's checkpoint left off; one line a 100 steps."""
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(student, LEARNING_RATE, folder)
    random = np.random.default_rng(run.step)
    print(f"resumed at step {run.step}", flush=True)
    losses: list[float] = []
    start = time.process_time()
    while run.step < steps:
        loss = task.loss(run.student, random)
        loss.backward()
        run.advance()
        losses.append(loss.item())
        if run.step % SAVE_EVERY == 0:
            run.save()
            cpu = time.process_time() - start
            print(f"step {run.step}: loss {np.mean(losses):.4f}, CPU {cpu:.0f} s", flush=True)
            losses, start = [], time.process_time()
        if run.step % MEASURE_EVERY == 0:
            with torch.no_grad():
                note(folder / "curve.txt", f"step {run.step}: {task.measure(run.average)}")
            task.reload()


def note(path: Path, line: str) -> None:
    """Adds a line with the time to a file and to the log."""
    stamped = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}"
    print(stamped, flush=True)
    with path.open("a", encoding="utf-8") as curve:
        curve.write(stamped + "\n")


def run_from_command_line(
    description: str, task: Callable[[argparse.Namespace], Task], student: Callable[[], nn.Module]
) -> None:
    """`--data`, `--voices`, `--run` and `--steps`, the same for every student."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, required=True, help="folder of shards")
    parser.add_argument("--voices", type=Path, help="folder of Kokoro's voices")
    parser.add_argument("--run", type=Path, required=True, help="folder for checkpoint and curve")
    parser.add_argument("--steps", type=int, required=True)
    options = parser.parse_args()
    torch.manual_seed(0)
    train(task(options), student(), options.run, options.steps)
