import { type Node, type OnnxGraph, wholeNumbers } from './onnx-graph.ts';
import { receptiveField, type TimeSpan } from './receptive-field.ts';

/** A stage that can be run on any stretch of time, with what it must be told for that. */
export interface WindowedStage {
  readonly graph: OnnxGraph;
  /** Frames of input needed beyond each end of a window. */
  readonly halo: number;
  /** Where the graph drops what later layers no longer need, in the order of its `crop_<i>` inputs. */
  readonly crops: readonly TimeSpan[];
}

export interface WindowOptions {
  readonly input: string;
  readonly output: string;
  readonly timeAxis: number;
}

/**
 * Makes a stage run on windows of its input. Early layers must reach far beyond a window, later ones
 * hardly, and they cost the most: so the surplus is cropped around upsamplings. Behind them it always
 * is, because they begin at whole samples of their input; before them where it is a frame or more,
 * because that is a pass over the tensor for the sake of one layer. The graph gets two more int64 [1]
 * inputs for each crop, `crop_<i>_start` and `crop_<i>_end`, in samples.
 *
 * @throws Error when the stage has a layer that cannot be computed in windows.
 */
export function windowStage(stage: OnnxGraph, options: WindowOptions): WindowedStage {
  const spans = receptiveField(stage, options.input, options.output);
  const halo = spans.get(options.input)?.halo ?? 0;
  const crops: TimeSpan[] = [];
  /** Frames that the current tensor reaches beyond each end of a window. */
  let held = halo;
  const crop = (span: TimeSpan, input: string, output: string): Node => {
    const name = `crop_${crops.push(span) - 1}`;
    held = frames(span);
    const slices = [input, `${name}_start`, `${name}_end`, 'crop_axis'];
    return { opType: 'Slice', input: slices, output: [output] };
  };
  const nodes = stage.nodes.flatMap((node) => {
    const [first = '', ...rest] = node.input;
    const [output = ''] = node.output;
    const [before, behind] = [spans.get(first), spans.get(output)];
    if (node.opType !== 'ConvTranspose' || !before || !behind) return [node];
    const around: Node[] = [];
    const needed = `${output}_needed`;
    const isCropped = held - frames(before) >= 1;
    if (isCropped) around.push(crop(before, first, needed));
    const layer = { ...node, input: [isCropped ? needed : first, ...rest] };
    if (held <= frames(behind)) return [...around, layer];
    const whole = `${output}_whole`;
    return [...around, { ...layer, output: [whole] }, crop(behind, whole, output)];
  });
  const inputs = crops.flatMap((_, i) =>
    ['start', 'end'].map((edge) => ({
      name: `crop_${i}_${edge}`,
      type: 'int64' as const,
    })),
  );
  const axis = wholeNumbers('crop_axis', [options.timeAxis]);
  return { graph: stage.rewrite(nodes, [axis], inputs), halo, crops };
}

function frames({ halo, samplesPerFrame }: TimeSpan): number {
  return halo / samplesPerFrame;
}
