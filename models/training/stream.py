"""The phone voice's decoder as a server runs it: one stretch of frames after the other.

What the blocks look back on is carried; the samples at a stretch's end overlap those of the next
one and are added by whoever runs it. Together the stretches give what one run over all frames gives.
"""

from dataclasses import dataclass

import torch
from student import CausalBlock, SourceFilterDecoder
from torch import Tensor, nn
from torch.nn import functional


def carried_block(block: CausalBlock, frames: Tensor, past: Tensor) -> tuple[Tensor, Tensor]:
    """A block with `past` [batch, width, kernel - 1] before its input; also returns the next past."""
    seen = torch.cat([past, frames], dim=2)
    rows = block.depthwise(seen).transpose(1, 2)
    rows = block.narrow(functional.gelu(block.widen(block.norm(rows))))
    return frames + (block.scale * rows).transpose(1, 2), seen[:, :, -block.past :]


class StreamedDecoder(nn.Module):
    """One stretch of T frames.

    - `inputs` [1, inputs, before + T + ahead]: the first layer sees that far; zeros beyond the ends;
    - `timbre` [1, condition];
    - `pulses` [1, T · hop + 3 · hop]: from one and a half hops before the stretch to as many behind;
    - `noise` [1, 2 · bins, T];
    - `carried` [blocks, width, kernel - 1], zeros before the first stretch.

    Returns `samples` [1, (T + 3) · hop], which begin one and a half hops before the stretch, and the
    next `carried`.
    """

    def __init__(self, decoder: SourceFilterDecoder) -> None:
        super().__init__()
        self.decoder = decoder

    def forward(
        self, inputs: Tensor, timbre: Tensor, pulses: Tensor, noise: Tensor, carried: Tensor
    ) -> tuple[Tensor, Tensor]:
        trunk, decoder = self.decoder.trunk, self.decoder
        frames = trunk.enter(inputs) + trunk.condition(timbre).unsqueeze(2)
        pasts = []
        for index, block in enumerate(trunk.blocks):
            frames, past = carried_block(block, frames, carried[index : index + 1])
            pasts.append(past)
        rows = trunk.norm(frames.transpose(1, 2)).transpose(1, 2)
        source = functional.conv1d(
            pulses.unsqueeze(1), decoder.forward_transform.basis, stride=decoder.shape.hop
        )
        spectrum = decoder.filtered(rows, source, noise)
        samples = functional.conv_transpose1d(
            spectrum, decoder.inverse.basis, stride=decoder.shape.hop
        )
        return samples[:, 0], torch.cat(pasts)


@dataclass(frozen=True)
class Stretches:
    """Everything that an utterance's stretches are cut from, with the edges filled up."""

    inputs: Tensor
    timbre: Tensor
    pulses: Tensor
    noise: Tensor


def run_in_stretches(decoder: SourceFilterDecoder, whole: Stretches, sizes: list[int]) -> Tensor:
    """[1, frames · hop], computed in stretches of `sizes` frames."""
    shape, streamed = decoder.shape, StreamedDecoder(decoder)
    ahead = shape.look_ahead
    before = shape.kernel - 1 - ahead
    surplus = (shape.fourier_size - shape.hop) // 2
    inputs = functional.pad(whole.inputs, (before, ahead))
    pulses = functional.pad(whole.pulses, (surplus, surplus))
    total = torch.zeros(1, whole.pulses.shape[1] + 2 * surplus)
    carried = torch.zeros(shape.blocks, shape.width, shape.kernel - 1)
    start = 0
    for size in sizes:
        samples, carried = streamed(
            inputs[:, :, start : start + size + before + ahead],
            whole.timbre,
            pulses[:, start * shape.hop : (start + size) * shape.hop + 2 * surplus],
            whole.noise[:, :, start : start + size],
            carried,
        )
        total[:, start * shape.hop :][:, : samples.shape[1]] += samples
        start += size
    return total[:, surplus:-surplus]
