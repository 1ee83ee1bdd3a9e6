"""Saves and resumes a training run: weights, their running average, optimiser, step."""

import copy
import os
from pathlib import Path

import torch
from torch import nn

AVERAGE_DECAY = 0.999
CHECKPOINT = "student.pt"


class Run:
    """A student, the average of its weights over the last thousand steps or so, and its optimiser."""

    def __init__(self, student: nn.Module, learning_rate: float, folder: Path) -> None:
        self.student, self.path, self.step = student, folder / CHECKPOINT, 0
        self.average = copy.deepcopy(student).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(
            student.parameters(), learning_rate, betas=(0.8, 0.99), weight_decay=0.01
        )
        if self.path.exists():
            self._resume()

    def _resume(self) -> None:
        state = torch.load(self.path, map_location="cpu")
        self.student.load_state_dict(state["student"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step = state["step"]

    def advance(self) -> None:
        """Takes one step with the gradients that are there."""
        nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.step += 1
        decay = min(AVERAGE_DECAY, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for kept, new in zip(self.average.parameters(), self.student.parameters(), strict=True):
                kept.lerp_(new, 1 - decay)

    def save(self) -> None:
        """Replaces the file as a whole: a run killed meanwhile keeps the one before."""
        part = self.path.with_suffix(".part")
        state = {
            "student": self.student.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }
        torch.save(state, part)
        os.replace(part, self.path)


def load_average(student: nn.Module, folder: Path) -> None:
    """Gives a student the running average of a run's weights."""
    path = folder / CHECKPOINT
    if not path.exists():
        raise SystemExit(f"{path} is missing: train the student first.")
    student.load_state_dict(torch.load(path, map_location="cpu")["average"])
