import { type OnnxGraph, wholeNumbers } from './onnx-graph.ts';
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
  /** Type of the layers before which surplus is dropped. */
  readonly cropBefore: string;
  readonly timeAxis: number;
}

/**
 * Makes a stage run on windows of its input. Early layers must reach far beyond a window, later ones
 * hardly, and they cost the most: so the surplus is cropped before each layer of one type. The graph
 * gets two more int64 [1] inputs for each crop, `crop_<i>_start` and `crop_<i>_end`, in samples.
 *
 * @throws Error when the stage has a layer that cannot be computed in windows.
 */
export function windowStage(stage: OnnxGraph, options: WindowOptions): WindowedStage {
  const spans = receptiveField(stage, options.input, options.output);
  const halo = spans.get(options.input)?.halo ?? 0;
  const crops: TimeSpan[] = [];
  const nodes = stage.nodes.flatMap((node) => {
    const [first = '', ...rest] = node.input;
    const span = spans.get(first);
    const hasSurplus = span !== undefined && span.halo < halo * span.samplesPerFrame;
    if (node.opType !== options.cropBefore || !hasSurplus) return [node];
    const name = `crop_${crops.push(span) - 1}`;
    const slice = {
      opType: 'Slice',
      input: [first, `${name}_start`, `${name}_end`, 'crop_axis'],
      output: [name],
    };
    return [slice, { ...node, input: [name, ...rest] }];
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
