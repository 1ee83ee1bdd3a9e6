"""The text stage of the phone voice: symbols and a style → durations, pitch, voicing, energy."""

from dataclasses import dataclass

import numpy as np
import torch
from phonetic import SymbolEncoder, spread
from speech import STYLE_WIDTH, Spoken
from student import CausalBlock
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

WIDTH = 128
FRAME_WIDTH, FRAME_BLOCKS, FRAME_KERNEL = 128, 3, 9
PLACES = 2


class FrameBlock(CausalBlock):
    """The same block, seeing as far ahead as back: curves of a chunk are made at once."""

    def forward(self, frames: Tensor) -> Tensor:
        ahead = self.past // 2
        return super().forward(functional.pad(frames, (0, ahead)))[:, :, ahead:]


class TextStage(nn.Module):
    """A sentence has its melody as a whole, so a recurrent layer reads it from both ends."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = SymbolEncoder(WIDTH, 3)
        self.style = nn.Linear(STYLE_WIDTH, WIDTH)
        self.sentence = nn.GRU(WIDTH, WIDTH // 2, batch_first=True, bidirectional=True)
        self.durations = nn.Linear(2 * WIDTH, 1)
        self.enter = nn.Conv1d(2 * WIDTH + PLACES, FRAME_WIDTH, 1)
        self.blocks = nn.Sequential(
            *(FrameBlock(FRAME_WIDTH, FRAME_KERNEL, 2, FRAME_BLOCKS) for _ in range(FRAME_BLOCKS))
        )
        self.curves = nn.Conv1d(FRAME_WIDTH, 3, 1)

    def read(self, ids: Tensor, style: Tensor) -> tuple[Tensor, Tensor]:
        """[batch, symbols], [batch, style] → hidden [batch, 2 · width, symbols], log durations."""
        near = self.encoder(ids).transpose(1, 2) + self.style(style).unsqueeze(1)
        far, _ = self.sentence(near)
        hidden = torch.cat([near, far], dim=2)
        return hidden.transpose(1, 2), self.durations(hidden).squeeze(2)

    def draw(self, hidden: Tensor, owners: Tensor, places: Tensor) -> Tensor:
        """[batch, 3, frames]: octaves around 160 Hz, voicing (above 0: voiced), energy."""
        frames = self.enter(torch.cat([spread(hidden, owners), places], dim=1))
        return self.curves(self.blocks(frames))

    def forward(
        self, ids: Tensor, style: Tensor, owners: Tensor, places: Tensor
    ) -> tuple[Tensor, Tensor]:
        hidden, durations = self.read(ids, style)
        return durations, self.draw(hidden, owners, places)


@dataclass(frozen=True)
class ProsodyBatch:
    """Whole utterances, filled up with zeros; masks are 1 where there is something."""

    ids: Tensor
    style: Tensor
    owners: Tensor
    places: Tensor
    durations: Tensor
    curves: Tensor
    symbol_mask: Tensor
    frame_mask: Tensor


def prosody_batch(chosen: list[Spoken]) -> ProsodyBatch:
    """Puts utterances side by side."""

    def fill(rows: list[np.ndarray], value: float = 0) -> Tensor:
        tensors = [torch.from_numpy(np.array(row)) for row in rows]
        return pad_sequence(tensors, batch_first=True, padding_value=value)

    curves = fill([one.curves().T for one in chosen]).transpose(1, 2)
    return ProsodyBatch(
        ids=fill([one.ids for one in chosen]),
        style=torch.from_numpy(np.stack([one.style for one in chosen])),
        owners=fill([one.owners for one in chosen]),
        places=curves[:, 3:],
        durations=fill([one.utterance.arrays["durations"] for one in chosen], 1),
        curves=curves[:, :3],
        symbol_mask=fill([np.ones(len(one.ids), np.float32) for one in chosen]),
        frame_mask=fill([np.ones(len(one.owners), np.float32) for one in chosen]),
    )
