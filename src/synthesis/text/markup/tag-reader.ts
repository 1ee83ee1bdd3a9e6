import { decodeEntities } from './entities.ts';

/** A tag of a markup language such as SSML or HTML. */
export interface Tag {
  readonly kind: 'open' | 'close' | 'empty';
  /** Lower case; empty for comments, declarations and processing instructions. */
  readonly name: string;
  /** By lower-case name, entities decoded; of two with one name the first. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Longer tags are text: nobody writes them, and what may be a tag is held back. */
const MAX_TAG_LENGTH = 400;

type State =
  | 'start'
  | 'name'
  | 'gap'
  | 'attribute'
  | 'equals'
  | 'value'
  | 'quoted'
  | 'unquoted'
  | 'slash'
  | 'mark'
  | 'comment'
  | 'not-a-tag';

const NAME_START = /[A-Za-z_]/;
const NAME = /[\w:.-]/;
const SPACE = /\s/;
const QUOTE = /["'“”]/;

/**
 * Reads one tag, a character at a time, and knows at the first character that no tag can have:
 * what only looks like one ("a < b", "x<y and", "<3") is not held back for longer than that.
 */
export class TagReader {
  #state: State = 'start';
  #written = '<';
  #isClosing = false;
  #isEmpty = false;
  #name = '';
  #attribute = '';
  #value = '';
  #quote = '';
  readonly #attributes = new Map<string, string>();

  /** All that it has taken, from the `<` on. */
  get written(): string {
    return this.#written;
  }

  /**
   * Takes the next character, unless none of a tag can follow: then the result is `false`, and all
   * that was taken is text.
   *
   * @returns the tag when the character ends it; `true` when more must follow.
   */
  take(character: string): Tag | boolean {
    if (character === '<' || this.#written.length >= MAX_TAG_LENGTH) return false;
    if (character === '>' && this.#endsAtBracket()) {
      this.#written += character;
      return this.#tag();
    }
    this.#state = this.#next(character);
    if (this.#state === 'not-a-tag') return false;
    this.#written += character;
    return true;
  }

  #endsAtBracket(): boolean {
    if (this.#written.startsWith('<!--')) return /^<!--.*--$/s.test(this.#written);
    return !['start', 'mark', 'attribute', 'equals', 'value', 'quoted'].includes(this.#state);
  }

  #tag(): Tag {
    if (this.#state === 'unquoted') {
      // `<break time=1s/>`: the slash is the tag's.
      this.#isEmpty = this.#value.endsWith('/');
      this.#value = this.#value.replace(/\/$/, '');
      this.#endAttribute();
    }
    const kind = this.#isClosing ? 'close' : this.#isEmpty ? 'empty' : 'open';
    return { kind, name: this.#name.toLowerCase(), attributes: this.#attributes };
  }

  #next(character: string): State {
    switch (this.#state) {
      case 'start':
        return this.#begin(character);
      case 'name':
        if (NAME.test(character)) {
          this.#name += character;
          return 'name';
        }
        return this.#inGap(character, false);
      case 'gap':
        return this.#inGap(character, true);
      case 'attribute':
        if (!NAME.test(character)) return this.#afterAttribute(character);
        this.#attribute += character;
        return 'attribute';
      case 'equals':
        return this.#afterAttribute(character);
      case 'value':
        return this.#beginValue(character);
      case 'quoted':
        return this.#inQuotes(character);
      case 'unquoted':
        return this.#inUnquoted(character);
      case 'mark':
        return /[-A-Za-z]/.test(character) ? 'comment' : 'not-a-tag';
      case 'comment':
        return 'comment';
      case 'slash':
      case 'not-a-tag':
        return 'not-a-tag';
    }
  }

  #begin(character: string): State {
    if (character === '/' && !this.#isClosing) {
      this.#isClosing = true;
      return 'start';
    }
    if (/[!?]/.test(character) && !this.#isClosing) return 'mark';
    if (!NAME_START.test(character)) return 'not-a-tag';
    this.#name = character;
    return 'name';
  }

  #inGap(character: string, isAfterSpace: boolean): State {
    if (SPACE.test(character)) return 'gap';
    if (character === '/') {
      this.#isEmpty = true;
      return 'slash';
    }
    if (!isAfterSpace || this.#isClosing || !NAME_START.test(character)) return 'not-a-tag';
    this.#attribute = character;
    return 'attribute';
  }

  #afterAttribute(character: string): State {
    if (character === '=') return 'value';
    return SPACE.test(character) ? 'equals' : 'not-a-tag';
  }

  #beginValue(character: string): State {
    if (SPACE.test(character)) return 'value';
    this.#value = '';
    if (QUOTE.test(character)) {
      this.#quote = character === '“' ? '”' : character;
      return 'quoted';
    }
    this.#value = character;
    return /[=>]/.test(character) ? 'not-a-tag' : 'unquoted';
  }

  #inQuotes(character: string): State {
    if (character !== this.#quote) {
      this.#value += character;
      return 'quoted';
    }
    this.#endAttribute();
    // The next attribute may follow directly: `<break time="1s"strength="weak"/>` is common.
    return 'gap';
  }

  #inUnquoted(character: string): State {
    if (!SPACE.test(character)) {
      this.#value += character;
      return /["'=]/.test(character) ? 'not-a-tag' : 'unquoted';
    }
    this.#endAttribute();
    return 'gap';
  }

  #endAttribute(): void {
    const name = this.#attribute.toLowerCase();
    if (!this.#attributes.has(name)) this.#attributes.set(name, decodeEntities(this.#value));
  }
}
