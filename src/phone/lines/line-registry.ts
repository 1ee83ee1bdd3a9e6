import type { Line } from '../calls/line.ts';

/**
 * The line that there is without a lines file: any valid key may use it, and the menu that comes
 * with the server answers.
 */
export const DEFAULT_LINE: Line = {
  lineId: 'default',
  keyId: undefined,
  voiceId: undefined,
  modelId: undefined,
  voiceSettings: {},
  latencyLevel: 3,
  bot: { type: 'menu', menuFile: undefined },
  bargeIn: { onSpeech: false, onDtmf: false },
  botLoss: { finishesSpeech: true, apology: undefined },
  transfers: undefined,
  secrets: {},
};

/** Every line there is. */
export class LineRegistry {
  readonly #lines: ReadonlyMap<string, Line>;

  /** @param lines one of them may replace the default line, which is there in any case. */
  constructor(lines: readonly Line[] = []) {
    this.#lines = new Map([DEFAULT_LINE, ...lines].map((line) => [line.lineId, line]));
  }

  get lines(): readonly Line[] {
    return [...this.#lines.values()];
  }

  find(lineId: string): Line | undefined {
    return this.#lines.get(lineId);
  }
}
