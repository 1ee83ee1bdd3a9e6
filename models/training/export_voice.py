"""Writes the phone voice as ONNX files, and checks that stretches equal the whole.

    python3 export_voice.py --run VOICE --prosody PROSODY FOLDER

`symbols.onnx` and `text.onnx` are run once for a chunk, `curves.onnx` once its durations are known,
`decoder.onnx` for one stretch of frames after the other.
"""

import argparse
from pathlib import Path

import torch
from checkpoint import load_average
from phonetic import SHAPE, SYMBOL_WIDTH, PhoneVoice
from prosody import PLACES, WIDTH, TextStage
from speech import CURVES, STYLE_WIDTH, TIMBRE_WIDTH
from stream import StreamedDecoder, Stretches, run_in_stretches
from student import SourceFilterDecoder
from torch import Tensor, nn

OPSET = 16
#: dB against the whole run.
LEAST_LIKENESS = 90


class ReadStage(nn.Module):
    """Symbols and style → hidden, log durations."""

    def __init__(self, stage: TextStage) -> None:
        super().__init__()
        self.stage = stage

    def forward(self, ids: Tensor, style: Tensor) -> tuple[Tensor, Tensor]:
        return self.stage.read(ids, style)


class DrawStage(nn.Module):
    """Hidden, the symbol of each frame, places → curves."""

    def __init__(self, stage: TextStage) -> None:
        super().__init__()
        self.stage = stage

    def forward(self, hidden: Tensor, owners: Tensor, places: Tensor) -> Tensor:
        return self.stage.draw(hidden, owners, places)


def likeness(decoder: SourceFilterDecoder, frames: int, sizes: list[int]) -> float:
    """How far stretches are from the whole run, in dB."""
    whole = Stretches(
        torch.randn(1, SHAPE.inputs, frames),
        torch.randn(1, TIMBRE_WIDTH),
        torch.randn(1, frames * SHAPE.hop),
        torch.randn(1, 2 * SHAPE.bins, frames),
    )
    true = decoder(whole.inputs, whole.timbre, whole.pulses, whole.noise)
    error = (run_in_stretches(decoder, whole, sizes) - true).square().sum()
    return float(10 * torch.log10(true.square().sum() / error))


def write(
    module: nn.Module,
    examples: tuple[Tensor, ...],
    path: Path,
    names: tuple[list[str], list[str]],
    axes: dict[str, dict[int, str]],
) -> None:
    """One graph, with the lengths that may vary."""
    inputs, outputs = names
    torch.onnx.export(
        module.eval(),
        examples,
        str(path),
        input_names=inputs,
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=OPSET,
    )


def write_decoder(voice: PhoneVoice, folder: Path) -> None:
    frames, before = 16, SHAPE.kernel - 1
    examples = (
        torch.randn(1, SHAPE.inputs, frames + before),
        torch.randn(1, TIMBRE_WIDTH),
        torch.randn(1, (frames + 3) * SHAPE.hop),
        torch.randn(1, 2 * SHAPE.bins, frames),
        torch.zeros(SHAPE.blocks, SHAPE.width, SHAPE.kernel - 1),
    )
    names = ["inputs", "timbre", "pulses", "noise", "carried"], ["samples", "carried_next"]
    axes = {"inputs": {2: "reach"}, "pulses": {1: "pulse"}, "noise": {2: "frames"}}
    path = folder / "decoder.onnx"
    write(StreamedDecoder(voice.decoder), examples, path, names, axes)


def write_text(voice: PhoneVoice, text: TextStage, folder: Path) -> None:
    ids, style = torch.ones(1, 12, dtype=torch.long), torch.randn(1, STYLE_WIDTH)
    symbols = {"ids": {1: "symbols"}, "hidden": {2: "symbols"}}
    write(voice.encoder, (ids,), folder / "symbols.onnx", (["ids"], ["hidden"]), symbols)
    write(
        ReadStage(text),
        (ids, style),
        folder / "text.onnx",
        (["ids", "style"], ["hidden", "log_durations"]),
        {**symbols, "log_durations": {1: "symbols"}},
    )
    write(
        DrawStage(text),
        (torch.randn(1, 2 * WIDTH, 12), torch.zeros(1, 9, dtype=torch.long), torch.randn(1, PLACES, 9)),
        folder / "curves.onnx",
        (["hidden", "owners", "places"], ["curves"]),
        {
            "hidden": {2: "symbols"},
            "owners": {1: "frames"},
            "places": {2: "frames"},
            "curves": {2: "frames"},
        },
    )  # fmt: skip


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", type=Path, required=True, help="of train_voice.py")
    parser.add_argument("--prosody", type=Path, required=True, help="of train_prosody.py")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    assert SHAPE.inputs == SYMBOL_WIDTH + CURVES
    voice, text = PhoneVoice(), TextStage()
    load_average(voice, options.run)
    load_average(text, options.prosody)
    options.folder.mkdir(parents=True, exist_ok=True)
    found = likeness(voice.decoder, 100, [16, 24, 36, 24])
    print(f"stretches equal the whole to {found:.1f} dB")
    if found < LEAST_LIKENESS:
        raise SystemExit("That is too far: the streamed decoder and the trained one differ.")
    write_decoder(voice, options.folder)
    write_text(voice, text, options.folder)


if __name__ == "__main__":
    main()
