import type { InferenceSession } from 'onnxruntime-node';
import type { FlowFacts } from '../graph/piper-stages.ts';
import { END_OF_TENSOR } from '../graph/streamed-stage.ts';
import {
  type Encoding,
  type FlowCarry,
  noisyLatent,
  sharedCounts,
  sharedFloats,
  writeStretch,
} from './encoding.ts';
import { conditionFeeds, type Feeds, floats, tensorData, wholes } from './tensors.ts';

/** The flow of one voice, loaded in this thread. */
export class FlowRunner {
  readonly #facts: FlowFacts;
  readonly #session: InferenceSession;

  constructor(facts: FlowFacts, session: InferenceSession) {
    this.#facts = facts;
    this.#session = session;
  }

  /** Room for what one utterance carries from stretch to stretch. */
  openCarries(): readonly [FlowCarry, FlowCarry] {
    const open = (): FlowCarry => ({
      position: sharedCounts([0]),
      values: this.#facts.carries.map(({ channels, lengths }) =>
        sharedFloats(channels * sum(lengths)),
      ),
    });
    return [open(), open()];
  }

  /**
   * Computes the latent up to a frame, or a little further at the end of the utterance.
   *
   * @param known the frame that the call before this one was asked for; 0 in the first.
   */
  async extend(encoding: Encoding, known: number, upTo: number): Promise<void> {
    const { frames, channels } = encoding;
    const { lag } = this.#facts;
    const from = known === 0 ? 0 : Math.min(frames, known + lag);
    const to = Math.min(frames, upTo + lag);
    if (from === to) return;
    const [one, other] = encoding.flowCarries;
    const carried = one.position[0] === from ? one : other;
    if (from > 0 && carried.position[0] !== from) {
      throw new Error('The stretch before this one was not computed.');
    }
    const result = await this.#session.run({
      noisy: floats([1, channels, to - from], noisyLatent(encoding, { from, to })),
      ...conditionFeeds(encoding, this.#facts.conditions),
      ...this.#carryFeeds(from === 0 ? undefined : carried),
      ...this.#edge(to === frames),
    });
    const start = Math.max(0, from - lag);
    writeStretch(encoding.latent, channels, start, tensorData(result, 'latent'));
    // Into the other slot: should this thread die, the stretch can be done again from the first.
    this.#keep(carried === one ? other : one, result, to);
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  /** @param carried nothing at the start of an utterance. */
  #carryFeeds(carried: FlowCarry | undefined): Feeds {
    return Object.fromEntries(
      this.#facts.carries.flatMap(({ input, channels, firstLengths, lengths }, index) => {
        const pieces = carried ? lengths : firstLengths;
        const width = sum(pieces);
        // Copied, because the runtime does not take shared memory.
        const values = carried?.values[index]?.slice() ?? new Float32Array(channels * width);
        return [
          [input, floats([1, channels, width], values)],
          [`${input}_lengths`, wholes([pieces.length], pieces)],
        ];
      }),
    );
  }

  /** Before the end, layers wait for what comes; at the end, they see the padding they expect. */
  #edge(isLast: boolean): Feeds {
    const paddings = this.#facts.paddings.map(({ input, channels, frames }) => {
      const width = isLast ? frames : 0;
      return [input, floats([1, channels, width], new Float32Array(channels * width))];
    });
    const holds = this.#facts.holds.map(({ input, frames }) => [
      input,
      wholes([1], [isLast ? END_OF_TENSOR : -frames]),
    ]);
    return Object.fromEntries([...paddings, ...holds]) as Feeds;
  }

  #keep(slot: FlowCarry, result: InferenceSession.OnnxValueMapType, position: number): void {
    for (const [index, { output }] of this.#facts.carries.entries()) {
      slot.values[index]?.set(tensorData(result, output));
    }
    slot.position[0] = position;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
