import type { PhonemeRule } from '../../../domain/dictionary.ts';
import { symbolsOfRule } from '../dictionary/ipa.ts';
import { sayAs } from '../normaliser/registry.ts';
import { sayAsOf } from '../normaliser/say-as.ts';
import type { MarkupToken } from './markup-reader.ts';
import type { Tag } from './tag-reader.ts';
import type { WrittenStretch } from './written-text.ts';

/** A longer element is not held: its text is spoken as any other. */
const MAX_HELD_LENGTH = 300;

/** What is said for an element, given its text. */
type Speak = (text: string) => Omit<WrittenStretch, 'written'>;

/**
 * An element whose text is spoken in another way, as a whole: `<sub>`, `<say-as>`, `<phoneme>`. It
 * is held until it ends, so that no chunk cuts it.
 */
export class HeldElement {
  readonly #name: string;
  readonly #speak: Speak;
  readonly #parts: WrittenStretch[];
  #length = 0;

  private constructor(written: string, name: string, speak: Speak) {
    this.#parts = [{ written, plain: '' }];
    this.#name = name;
    this.#speak = speak;
  }

  /**
   * @param language ISO 639-1.
   * @returns undefined for a tag that opens no such element, or whose attributes ask for nothing.
   */
  static open(written: string, tag: Tag, language: string): HeldElement | undefined {
    const speak = tag.kind === 'open' ? speakerOf(tag, language) : undefined;
    return speak && new HeldElement(written, tag.name, speak);
  }

  /** UTF-16 units that are held back. */
  get heldChars(): number {
    return this.#parts.reduce((sum, { written }) => sum + written.length, 0);
  }

  /** @returns what is said for it, once it ends or has become too long. Tags within it are dropped. */
  take(token: MarkupToken): readonly WrittenStretch[] | undefined {
    const { written } = token;
    const plain = token.type === 'text' ? token.plain : '';
    this.#parts.push({ written, plain });
    this.#length += written.length;
    if (token.type === 'tag' && token.tag.kind === 'close' && token.tag.name === this.#name) {
      return this.#spoken();
    }
    return this.#length > MAX_HELD_LENGTH ? this.#parts : undefined;
  }

  /** What it holds, as any other text. */
  get parts(): readonly WrittenStretch[] {
    return this.#parts;
  }

  #spoken(): readonly WrittenStretch[] {
    const text = this.#parts.map(({ plain }) => plain).join('');
    const body = text.trim();
    if (body === '') return this.#parts;
    const start = text.indexOf(body);
    const [open, ...inner] = this.#parts;
    const close = inner.pop();
    const written = inner.map((part) => part.written).join('');
    const isPlain = written === text;
    const before = isPlain ? text.slice(0, start) : '';
    const after = isPlain ? text.slice(start + body.length) : '';
    return [
      ...(open ? [open] : []),
      { written: before, plain: before },
      { written: isPlain ? body : written, ...this.#speak(body) },
      { written: after, plain: after },
      ...(close ? [close] : []),
    ];
  }
}

function speakerOf({ name, attributes }: Tag, language: string): Speak | undefined {
  if (name === 'sub') {
    const alias = attributes.get('alias')?.trim();
    return alias ? () => ({ plain: alias }) : undefined;
  }
  if (name === 'say-as') {
    const asked = sayAsOf(attributes.get('interpret-as') ?? '', attributes.get('format') ?? '');
    return asked && ((text) => ({ plain: sayAs(text, asked, language) }));
  }
  return name === 'phoneme' ? phonemeSpeaker(attributes) : undefined;
}

/** Sounds that nobody can read are left out: the text is spoken as it is written. */
function phonemeSpeaker(attributes: Tag['attributes']): Speak | undefined {
  const phoneme = attributes.get('ph') ?? '';
  const asked = attributes.get('alphabet')?.toLowerCase() ?? 'ipa';
  const alphabet = asked === 'cmu-arpabet' || asked === 'x-arpabet' ? 'cmu-arpabet' : 'ipa';
  const rule = { type: 'phoneme', phoneme, alphabet } as const;
  if ((asked !== 'ipa' && alphabet === 'ipa') || !symbolsOfRule(rule)) return undefined;
  return (text) => {
    // One word to the chunker, which therefore does not cut it.
    const plain = text.replace(/[^\p{L}\p{M}\p{N}']+/gu, '-');
    const options = { stringToReplace: plain, caseSensitive: true, wordBoundaries: false };
    return { plain, phoneme: { ...rule, ...options } satisfies PhonemeRule };
  };
}
