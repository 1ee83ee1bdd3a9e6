"""The decoder of the phone voice: symbols with their durations and curves → samples at 8 kHz."""

import torch
from speech import CURVES, FRAME_RATE, HOP, SYMBOLS, TIMBRE_WIDTH
from student import DecoderShape, SourceFilterDecoder
from torch import Tensor, nn
from torch.nn import functional

SYMBOL_WIDTH = 192
SHAPE = DecoderShape(
    SYMBOL_WIDTH + CURVES, TIMBRE_WIDTH, sample_rate=FRAME_RATE * HOP, hop=HOP, look_ahead=2
)


class SymbolBlock(nn.Module):
    """A residual convolution over symbols, which sees two to each side."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.around = nn.Conv1d(width, 2 * width, 5, padding=2)
        self.narrow = nn.Conv1d(2 * width, width, 1)

    def forward(self, symbols: Tensor) -> Tensor:
        rows = self.norm(symbols.transpose(1, 2)).transpose(1, 2)
        return symbols + self.narrow(functional.gelu(self.around(rows)))


class SymbolEncoder(nn.Module):
    """Symbols [batch, symbols] → what they sound like among their neighbours [batch, width, symbols]."""

    def __init__(self, width: int, blocks: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, width)
        self.blocks = nn.Sequential(*(SymbolBlock(width) for _ in range(blocks)))

    def forward(self, ids: Tensor) -> Tensor:
        return self.blocks(self.embedding(ids).transpose(1, 2))


def spread(symbols: Tensor, owners: Tensor) -> Tensor:
    """[batch, width, symbols] and the symbol of each frame → [batch, width, frames]"""
    return symbols.gather(2, owners.unsqueeze(1).expand(-1, symbols.shape[1], -1))


class PhoneVoice(nn.Module):
    """Symbol encoder and decoder, trained together."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = SymbolEncoder(SYMBOL_WIDTH, 2)
        self.decoder = SourceFilterDecoder(SHAPE)

    def forward(
        self,
        ids: Tensor,
        owners: Tensor,
        curves: Tensor,
        timbre: Tensor,
        pulses: Tensor,
        noise: Tensor,
    ) -> Tensor:
        inputs = torch.cat([spread(self.encoder(ids), owners), curves], dim=1)
        return self.decoder(inputs, timbre, pulses, noise)
