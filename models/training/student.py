"""The students: small causal decoders that end in an inverse Fourier transform.

All of them look at most 60 ms ahead, so that a stretch of speech can be computed by itself: the
first layer and the overlapping frames of the inverse transform do, the blocks between look back only.
Tensors are [batch, channels, frames] unless said otherwise.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class DecoderShape:
    """The size of a decoder. `hop` is samples a frame; a Fourier frame spans four hops."""

    inputs: int
    condition: int
    sample_rate: int
    hop: int
    width: int = 256
    blocks: int = 6
    kernel: int = 7
    expansion: int = 3
    look_ahead: int = 3

    @property
    def fourier_size(self) -> int:
        return 4 * self.hop

    @property
    def bins(self) -> int:
        return self.fourier_size // 2 + 1

    @property
    def look_back_frames(self) -> int:
        """Frames that a sample depends on before its own."""
        return self.blocks * (self.kernel - 1) + (self.kernel - 1 - self.look_ahead) + 2

    @property
    def look_ahead_ms(self) -> float:
        return 1000 * (self.look_ahead + 2) * self.hop / self.sample_rate


class CausalBlock(nn.Module):
    """A ConvNeXt block whose depthwise convolution looks back only."""

    def __init__(self, width: int, kernel: int, expansion: int, blocks: int) -> None:
        super().__init__()
        self.past = kernel - 1
        self.depthwise = nn.Conv1d(width, width, kernel, groups=width)
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, expansion * width)
        self.narrow = nn.Linear(expansion * width, width)
        self.scale = nn.Parameter(torch.full((width,), 1 / blocks))

    def forward(self, frames: Tensor) -> Tensor:
        rows = self.depthwise(functional.pad(frames, (self.past, 0))).transpose(1, 2)
        rows = self.narrow(functional.gelu(self.widen(self.norm(rows))))
        return frames + (self.scale * rows).transpose(1, 2)


class Trunk(nn.Module):
    """Input layer and blocks: [batch, inputs, frames] and [batch, condition] → [batch, width, frames]."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.padding = (shape.kernel - 1 - shape.look_ahead, shape.look_ahead)
        self.enter = nn.Conv1d(shape.inputs, shape.width, shape.kernel)
        self.condition = nn.Linear(shape.condition, shape.width)
        self.blocks = nn.ModuleList(
            CausalBlock(shape.width, shape.kernel, shape.expansion, shape.blocks)
            for _ in range(shape.blocks)
        )
        self.norm = nn.LayerNorm(shape.width)

    def forward(self, inputs: Tensor, condition: Tensor) -> Tensor:
        frames = self.enter(functional.pad(inputs, self.padding))
        frames = frames + self.condition(condition).unsqueeze(2)
        for block in self.blocks:
            frames = block(frames)
        return self.norm(frames.transpose(1, 2)).transpose(1, 2)


class InverseTransform(nn.Module):
    """Real and imaginary rows [batch, 2 · bins, frames] → samples [batch, frames · hop].

    The overlap of Hann windows at four hops sums up to 1.5 everywhere, so the division by it is part
    of the basis and edges need no care of their own: frames beyond them count as silent.
    """

    basis: Tensor
    window: Tensor

    def __init__(self, size: int, hop: int) -> None:
        super().__init__()
        self.hop, self.size = hop, size
        time, bins = torch.arange(size).double(), torch.arange(size // 2 + 1).double()
        weight = torch.full_like(bins, 2.0)
        weight[0] = weight[-1] = 1.0
        angle = 2 * math.pi * torch.outer(bins, time - size / 2) / size
        window = torch.hann_window(size, dtype=torch.float64)
        rows = torch.cat([torch.cos(angle), -torch.sin(angle)]) * weight.repeat(2).unsqueeze(1)
        self.register_buffer("basis", (rows * window / size / 1.5).unsqueeze(1).float(), False)
        self.register_buffer("window", window.float(), False)

    def forward(self, spectrum: Tensor) -> Tensor:
        samples = functional.conv_transpose1d(spectrum, self.basis, stride=self.hop)
        surplus = (self.size - self.hop) // 2
        return samples[:, 0, surplus:-surplus]


class SpectrumDecoder(nn.Module):
    """Learns the whole spectrum, phase included, from a latent that determines it (Vocos' head)."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.trunk = Trunk(shape)
        self.head = nn.Conv1d(shape.width, 2 * shape.bins, 1)
        self.inverse = InverseTransform(shape.fourier_size, shape.hop)

    def forward(self, inputs: Tensor, condition: Tensor) -> Tensor:
        level, angle = self.head(self.trunk(inputs, condition)).chunk(2, dim=1)
        magnitude = torch.exp(level.clamp(max=6))
        return self.inverse(
            torch.cat([magnitude * torch.cos(angle), magnitude * torch.sin(angle)], 1)
        )


class ForwardTransform(nn.Module):
    """Samples [batch, frames · hop] → real and imaginary rows [batch, 2 · bins, frames].

    Frames lie as those of `InverseTransform` do, which gives the samples back.
    """

    basis: Tensor

    def __init__(self, size: int, hop: int) -> None:
        super().__init__()
        self.hop, self.surplus = hop, (size - hop) // 2
        time, bins = torch.arange(size).double(), torch.arange(size // 2 + 1).double()
        angle = 2 * math.pi * torch.outer(bins, time - size / 2) / size
        rows = torch.cat([torch.cos(angle), -torch.sin(angle)])
        rows = rows * torch.hann_window(size, dtype=torch.float64)
        self.register_buffer("basis", rows.unsqueeze(1).float(), False)

    def forward(self, samples: Tensor) -> Tensor:
        padded = functional.pad(samples, (self.surplus, self.surplus)).unsqueeze(1)
        return functional.conv1d(padded, self.basis, stride=self.hop)


class SourceFilterDecoder(nn.Module):
    """Filters a pulse train of the right pitch, and noise, frame by frame.

    The pulses bring the harmonics and their phase along, so that only a complex gain for each
    frequency is left to learn, and a level of noise.
    """

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.trunk = Trunk(shape)
        self.head = nn.Conv1d(shape.width, 3 * shape.bins, 1)
        self.forward_transform = ForwardTransform(shape.fourier_size, shape.hop)
        self.inverse = InverseTransform(shape.fourier_size, shape.hop)
        with torch.no_grad():
            self.head.weight.mul_(0.1)
            start = torch.tensor([-4.0, 0.0, -7.0]).repeat_interleave(shape.bins)
            self.head.bias = nn.Parameter(start)

    def forward(self, inputs: Tensor, condition: Tensor, pulses: Tensor, noise: Tensor) -> Tensor:
        """`pulses` [batch, frames · hop]; `noise` [batch, 2 · bins, frames], standard normal."""
        rows = self.trunk(inputs, condition)
        return self.inverse(self.filtered(rows, self.forward_transform(pulses), noise))

    def filtered(self, rows: Tensor, source: Tensor, noise: Tensor) -> Tensor:
        """The spectrum [batch, 2 · bins, frames] that the trunk's output makes of source and noise."""
        level, angle, hiss = self.head(rows).chunk(3, dim=1)
        gain = torch.exp(level.clamp(max=4))
        real, imaginary = gain * torch.cos(angle), gain * torch.sin(angle)
        source_real, source_imaginary = source.chunk(2, dim=1)
        # The level that white noise of unit power has in these frames.
        hiss = torch.exp(hiss.clamp(max=4)) * math.sqrt(0.375 * self.shape.fourier_size / 2)
        noise_real, noise_imaginary = noise.chunk(2, dim=1)
        return torch.cat(
            [
                real * source_real - imaginary * source_imaginary + hiss * noise_real,
                real * source_imaginary + imaginary * source_real + hiss * noise_imaginary,
            ],
            dim=1,
        )
