import { isSpeakable } from '../chunker/characters.ts';
import { breakDurationMs } from './break-duration.ts';
import { HeldElement } from './held-element.ts';
import { type MarkupKinds, MarkupReader, type MarkupToken } from './markup-reader.ts';
import { heldPace, paceOfRate } from './speech-rate.ts';
import type { Tag } from './tag-reader.ts';
import type { WrittenStretch } from './written-text.ts';

/** What a text with markup asks for, in order. All that is `written`, joined, is the text. */
export type MarkupEvent =
  | ({ readonly type: 'text' } & WrittenStretch)
  | { readonly type: 'pause'; readonly written: string; readonly durationMs: number }
  /** What follows is spoken so much faster than the voice's own pace. */
  | { readonly type: 'pace'; readonly written: string; readonly pace: number };

/** Whether anything is heard of a text: words, or a pause. */
export function isAudible(text: string, kinds: MarkupKinds, language: string): boolean {
  const markup = new SpeechMarkup(kinds, language);
  const isHeard = (event: MarkupEvent) =>
    event.type === 'pause' || (event.type === 'text' && isSpeakable(event.plain));
  for (const event of markup.read(text)) if (isHeard(event)) return true;
  return [...markup.flush()].some(isHeard);
}

/** Deeper than anybody nests them; further ones change nothing. */
const MAX_OPEN_RATES = 16;
/** They end a line wherever they stand, so that the words around them are not run together. */
const LINES = new Set(['br', 'p', 's', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4']);

/**
 * Reads the markup of a text that is still being written. Breaks count in any text; the rest of SSML
 * where it is asked for, or in `<speak>`; audio tags where they are asked for. Other tags, of whatever
 * language, are not spoken.
 */
export class SpeechMarkup {
  readonly #reader: MarkupReader;
  readonly #language: string;
  readonly #rates: number[] = [];
  #held: HeldElement | undefined;

  /** @param language ISO 639-1: whose numbers and letters `<say-as>` reads. */
  constructor(kinds: MarkupKinds, language: string) {
    this.#reader = new MarkupReader(kinds);
    this.#language = language;
  }

  /** UTF-16 units that are held back. */
  get heldChars(): number {
    return this.#reader.heldChars + (this.#held?.heldChars ?? 0);
  }

  /** Takes more text, cut anywhere. */
  *read(fragment: string): Generator<MarkupEvent, void> {
    for (const token of this.#reader.read(fragment)) yield* this.#interpret(token);
  }

  /** No more is waited for: what is held back is text. */
  *flush(): Generator<MarkupEvent, void> {
    for (const token of this.#reader.flush()) yield* this.#interpret(token);
    const held = this.#held?.parts ?? [];
    this.#held = undefined;
    for (const part of held) yield { type: 'text', ...part };
  }

  *#interpret(token: MarkupToken): Generator<MarkupEvent, void> {
    if (this.#held) {
      const parts = this.#held.take(token);
      if (parts) this.#held = undefined;
      for (const part of parts ?? []) yield { type: 'text', ...part };
    } else if (token.type === 'text') {
      yield token;
    } else {
      const event = this.#event(token.written, token.tag);
      if (event) yield event;
    }
  }

  /** @returns undefined when the tag opens an element that is held. */
  #event(written: string, tag: Tag): MarkupEvent | undefined {
    const unspoken = { type: 'text', written, plain: LINES.has(tag.name) ? '\n' : '' } as const;
    if (tag.name === 'break' && tag.kind !== 'close') {
      const durationMs = breakDurationMs(tag);
      return durationMs > 0 ? { type: 'pause', written, durationMs } : unspoken;
    }
    if (!this.#reader.isSsml) return unspoken;
    if (tag.name === 'prosody' && this.#changesRate(tag)) {
      return { type: 'pace', written, pace: this.#pace };
    }
    if (tag.name === 'sub' && tag.kind === 'empty') {
      return { ...unspoken, plain: tag.attributes.get('alias') ?? '' };
    }
    this.#held = HeldElement.open(written, tag, this.#language);
    return this.#held ? undefined : unspoken;
  }

  get #pace(): number {
    return heldPace(this.#rates.reduce((product, rate) => product * rate, 1));
  }

  #changesRate({ kind, attributes }: Tag): boolean {
    const before = this.#pace;
    if (kind === 'close') this.#rates.pop();
    if (kind === 'open' && this.#rates.length < MAX_OPEN_RATES) {
      this.#rates.push(paceOfRate(attributes.get('rate') ?? '') ?? 1);
    }
    return this.#pace !== before;
  }
}
