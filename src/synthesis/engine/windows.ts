import type { TimeSpan } from '../graph/receptive-field.ts';
import type { WindowSchedule } from './engine.ts';

/** Half-open stretch of frames, or of samples of a tensor. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts `frames` into windows. A rest shorter than a quarter of the last window joins it. The result
 * depends on nothing else, so that the same request always gives the same samples.
 */
export function planWindows(schedule: WindowSchedule, frames: number): FrameRange[] {
  if (schedule.length === 0 || schedule.some((size) => !Number.isInteger(size) || size < 1)) {
    throw new RangeError(
      'A window schedule is a list of whole numbers of frames, at least 1 each.',
    );
  }
  const windows: FrameRange[] = [];
  for (let from = 0; from < frames; ) {
    const size = schedule[Math.min(windows.length, schedule.length - 1)] ?? frames;
    const rest = frames - from - size;
    const to = rest < size / 4 ? frames : from + size;
    windows.push({ from, to });
    from = to;
  }
  return windows;
}

/** `stretch` with `halo` more at each end, as far as there are `length`. */
export function widen(stretch: FrameRange, halo: number, length: number): FrameRange {
  return {
    from: Math.max(0, stretch.from - halo),
    to: Math.min(length, stretch.to + halo),
  };
}

/** Which samples of which tensors a windowed stage reads and keeps to compute one window. */
export interface WindowPlace {
  /** Frames of the utterance to give it. */
  readonly input: FrameRange;
  /** For each of its crops, the samples to keep, counted from the start of the tensor cropped. */
  readonly crops: readonly FrameRange[];
  /** Samples of its output that come before the window. */
  readonly lead: number;
}

/**
 * Places `window` in a stage. Nothing is cropped beyond the utterance's own ends, where the model
 * itself sees the edge.
 *
 * @param frames of the whole utterance.
 * @param samplesPerFrame of the stage's output.
 */
export function placeWindow(
  window: FrameRange,
  frames: number,
  stage: { readonly halo: number; readonly crops: readonly TimeSpan[] },
  samplesPerFrame: number,
): WindowPlace {
  const reachAt = ({ halo, samplesPerFrame: rate }: TimeSpan): FrameRange =>
    widen({ from: window.from * rate, to: window.to * rate }, halo, frames * rate);
  const input = widen(window, stage.halo, frames);
  /** Where the current tensor starts, in frames. */
  let origin = input.from;
  const crops = stage.crops.map((span) => {
    const { from, to } = reachAt(span);
    const start = origin * span.samplesPerFrame;
    origin = from / span.samplesPerFrame;
    return { from: from - start, to: to - start };
  });
  return { input, crops, lead: (window.from - origin) * samplesPerFrame };
}
