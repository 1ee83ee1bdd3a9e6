import { AudioTagReader } from './audio-tag-reader.ts';
import { ENTITY_START, entitiesIn } from './entities.ts';
import { type Tag, TagReader } from './tag-reader.ts';

/** What counts as markup in a text. Without these, breaks and tags that nobody should hear do. */
export interface MarkupKinds {
  /** Whether all of it is SSML, and not only what stands in `<speak>`. */
  readonly isSsml?: boolean;
  /** Whether `[laughs]` and the like are directions. */
  readonly hasAudioTags?: boolean;
}

/** What a text with markup is made of. The tokens' `written`, joined, are the fragments, joined. */
export type MarkupToken =
  | { readonly type: 'text'; readonly written: string; readonly plain: string }
  | { readonly type: 'tag'; readonly written: string; readonly tag: Tag };

/** What a tag may begin with. */
const [ANGLE, ANGLE_OR_SQUARE] = [/</g, /[<[]/g];

/**
 * Finds the tags of a text that is still being written. All that is held back is what may be the
 * beginning of a tag or, in SSML, of a character reference. Takes time linear in the text: what
 * proves to be no tag holds no other `<`, so that nothing is read twice.
 */
export class MarkupReader {
  readonly #isAlwaysSsml: boolean;
  readonly #hasAudioTags: boolean;
  #isSpeakOpen = false;
  #tag: TagReader | AudioTagReader | undefined;
  /** An audio tag, or the label of a Markdown link: the next character tells. */
  #bracketed: Extract<MarkupToken, { type: 'tag' }> | undefined;
  /** The beginning of a character reference. */
  #heldText = '';

  constructor({ isSsml = false, hasAudioTags = false }: MarkupKinds) {
    this.#isAlwaysSsml = isSsml;
    this.#hasAudioTags = hasAudioTags;
  }

  /** Whether what comes next is SSML. */
  get isSsml(): boolean {
    return this.#isAlwaysSsml || this.#isSpeakOpen;
  }

  /** UTF-16 units that are held back. */
  get heldChars(): number {
    const held = this.#tag ?? this.#bracketed;
    return this.#heldText.length + (held?.written.length ?? 0);
  }

  /** Takes more text, cut anywhere. */
  *read(fragment: string): Generator<MarkupToken, void> {
    let at = 0;
    while (at < fragment.length) {
      yield* this.#settleBracketed(fragment[at] === '(');
      if (this.#tag) {
        const end = yield* this.#readTag(this.#tag, fragment, at);
        at = end;
        continue;
      }
      const bracket = this.#bracketIn(fragment, at);
      const end = bracket === -1 ? fragment.length : bracket;
      yield* this.#readText(fragment.slice(at, end), bracket !== -1);
      if (bracket !== -1) {
        this.#tag = fragment[bracket] === '<' ? new TagReader() : new AudioTagReader();
      }
      at = bracket === -1 ? end : end + 1;
    }
  }

  /** What is held back is text, but for an audio tag that is whole. */
  *flush(): Generator<MarkupToken, void> {
    yield* this.#settleBracketed(false);
    const unfinished = this.#tag?.written ?? '';
    this.#tag = undefined;
    yield* this.#readText(unfinished, true);
  }

  /** @returns where the next tag may begin; -1 where none does. */
  #bracketIn(fragment: string, from: number): number {
    const bracket = this.#hasAudioTags ? ANGLE_OR_SQUARE : ANGLE;
    bracket.lastIndex = from;
    return bracket.exec(fragment)?.index ?? -1;
  }

  /** @returns where the text goes on. */
  *#readTag(
    reader: TagReader | AudioTagReader,
    fragment: string,
    from: number,
  ): Generator<MarkupToken, number> {
    for (let at = from; at < fragment.length; at++) {
      const result = reader.take(fragment.charAt(at));
      if (result === true) continue;
      this.#tag = undefined;
      if (result === false) {
        yield* this.#readText(reader.written, false);
        return at;
      }
      if (result.name === 'speak') this.#isSpeakOpen = result.kind === 'open';
      const token = { type: 'tag', written: reader.written, tag: result } as const;
      if (reader instanceof AudioTagReader) this.#bracketed = token;
      else yield token;
      return at + 1;
    }
    return fragment.length;
  }

  /** @param isLink whether what stands in the brackets is the label of a link: `[our site](…)`. */
  *#settleBracketed(isLink: boolean): Generator<MarkupToken, void> {
    const bracketed = this.#bracketed;
    if (!bracketed) return;
    this.#bracketed = undefined;
    if (isLink) yield* this.#readText(bracketed.written, false);
    else yield bracketed;
  }

  /** @param isWhole whether no reference can go on behind it. */
  *#readText(text: string, isWhole: boolean): Generator<MarkupToken, void> {
    const joined = this.#heldText + text;
    const held = isWhole || !this.isSsml ? '' : (ENTITY_START.exec(joined.slice(-10))?.[0] ?? '');
    this.#heldText = held;
    const ready = joined.slice(0, joined.length - held.length);
    if (ready !== '') yield* this.isSsml ? withEntities(ready) : [kept(ready)];
  }
}

function kept(text: string): MarkupToken {
  return { type: 'text', written: text, plain: text };
}

function* withEntities(text: string): Generator<MarkupToken, void> {
  let at = 0;
  for (const { start, end, character } of entitiesIn(text)) {
    if (start > at) yield kept(text.slice(at, start));
    yield { type: 'text', written: text.slice(start, end), plain: character };
    at = end;
  }
  if (at < text.length) yield kept(text.slice(at));
}
