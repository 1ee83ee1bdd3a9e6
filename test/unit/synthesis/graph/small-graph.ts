import onnxProto from 'onnx-proto';
import { type Node, OnnxGraph } from '../../../../src/synthesis/graph/onnx-graph.ts';

/** A graph without weights that makes `y` of `x`. */
export function smallGraph(...nodes: Node[]): OnnxGraph {
  const model = {
    irVersion: 8,
    opsetImport: [{ domain: '', version: 15 }],
    graph: { node: nodes, input: [{ name: 'x' }], output: [{ name: 'y' }] },
  };
  return OnnxGraph.parse(onnxProto.onnx.ModelProto.encode(model).finish());
}
