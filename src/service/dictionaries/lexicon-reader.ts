import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import type { DictionaryRule, PhoneticAlphabet } from '../../domain/dictionary.ts';
import { SpeechError } from '../../domain/errors.ts';
import { assertUsable, MAX_RULES, sameTextKey } from './checked-rules.ts';
import { LEXICON_NAMESPACE, OPTION_NAMES, OPTIONS_NAMESPACE } from './lexicon.ts';

const MAX_DEPTH = 10;
/** Characters that are read before sockets and timers have their turn; about a millisecond's worth. */
const SLICE_CHARACTERS = 16 * 1024;
const ALPHABETS: readonly string[] = ['ipa', 'cmu-arpabet'] satisfies PhoneticAlphabet[];
/** The encodings that a byte order mark may name; without one it is UTF-8 (XML 1.0, appendix F). */
const BYTE_ORDER_MARKS = [
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
] as const;

/** What a lexeme says its graphemes sound like. */
type Reading = { readonly isPreferred: boolean } & (
  | { readonly type: 'alias'; readonly alias: string }
  | { readonly type: 'phoneme'; readonly phoneme: string; readonly alphabet: PhoneticAlphabet }
);

interface Lexeme {
  readonly line: number;
  readonly caseSensitive: boolean;
  readonly wordBoundaries: boolean;
  readonly graphemes: string[];
  readonly readings: Reading[];
}

/**
 * Reads a lexicon in the Pronunciation Lexicon Specification's XML. A rule is made for each grapheme
 * of a lexeme, with the lexeme's preferred reading or else its first; of lexemes for the same
 * grapheme the first is meant. Document types and with them entities are refused: they are how a
 * small file becomes a large one, or reads others. A long file is read in slices, between which others
 * have their turn.
 *
 * @param file in UTF-8, or in UTF-16 with a byte order mark.
 * @throws SpeechError `invalid_input_message` that says what is wrong, and in which line.
 */
export async function readLexicon(file: Uint8Array): Promise<readonly DictionaryRule[]> {
  const reader = new LexiconReader();
  return reader.read(decode(file));
}

function decode(file: Uint8Array): string {
  const mark = BYTE_ORDER_MARKS.find(({ bytes }) =>
    bytes.every((byte, index) => file[index] === byte),
  );
  try {
    return new TextDecoder(mark?.encoding ?? 'utf-8', { fatal: true }).decode(file);
  } catch (cause) {
    throw unreadable('it is not text in UTF-8 or UTF-16', { cause });
  }
}

class LexiconReader {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #rules = new Map<string, DictionaryRule>();
  readonly #path: SaxesTagNS[] = [];
  #alphabet: string | undefined;
  #lexeme: Lexeme | undefined;
  #text = '';

  constructor() {
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      throw unreadable(`it is not well-formed XML (line:column ${message})`);
    });
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding === undefined || /^utf-(8|16)$/i.test(encoding)) return;
      throw this.#refusal(`its encoding is "${encoding}": save it as UTF-8`);
    });
    parser.on('doctype', () => {
      throw this.#refusal('it has a document type (<!DOCTYPE …>): remove it, with its entities');
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', (tag) => this.#close(tag));
    parser.on('text', (text) => {
      this.#text += text;
    });
    parser.on('cdata', (text) => {
      this.#text += text;
    });
  }

  async read(text: string): Promise<readonly DictionaryRule[]> {
    for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
      this.#parser.write(text.slice(start, start + SLICE_CHARACTERS));
      await nextTurn();
    }
    this.#parser.close();
    const rules = [...this.#rules.values()];
    assertUsable(rules, (index) => `for "${rules[index]?.stringToReplace}"`);
    return rules;
  }

  #open(tag: SaxesTagNS): void {
    this.#path.push(tag);
    if (this.#path.length > MAX_DEPTH) {
      throw this.#refusal(`its elements are nested more than ${MAX_DEPTH} deep`);
    }
    this.#text = '';
    if (this.#path.length === 1) this.#openLexicon(tag);
    if (this.#path.length === 2 && tag.local === 'lexeme') this.#openLexeme(tag);
  }

  #openLexicon(tag: SaxesTagNS): void {
    const isLexicon = tag.local === 'lexicon' && ['', LEXICON_NAMESPACE].includes(tag.uri);
    if (!isLexicon) throw this.#refusal(`its outermost element is <${tag.name}>, not <lexicon>`);
    this.#alphabet = attribute(tag, 'alphabet');
  }

  #openLexeme(tag: SaxesTagNS): void {
    this.#lexeme = {
      line: this.#parser.line,
      caseSensitive: attribute(tag, OPTION_NAMES.caseSensitive, OPTIONS_NAMESPACE) !== 'false',
      wordBoundaries: attribute(tag, OPTION_NAMES.wordBoundaries, OPTIONS_NAMESPACE) !== 'false',
      graphemes: [],
      readings: [],
    };
  }

  #close(tag: SaxesTagNS): void {
    const lexeme = this.#lexeme;
    if (lexeme && this.#path.length === 3) this.#closePart(lexeme, tag);
    if (lexeme && this.#path.length === 2) this.#addRules(lexeme);
    this.#path.pop();
  }

  #closePart({ graphemes, readings }: Lexeme, tag: SaxesTagNS): void {
    const text = this.#text.replace(/\s+/gu, ' ').trim();
    const isPreferred = attribute(tag, 'prefer') === 'true';
    switch (tag.local) {
      case 'grapheme':
        graphemes.push(text);
        break;
      case 'alias':
        readings.push({ type: 'alias', alias: text, isPreferred });
        break;
      case 'phoneme':
        readings.push({
          type: 'phoneme',
          phoneme: text,
          alphabet: this.#alphabetOf(tag),
          isPreferred,
        });
    }
  }

  #alphabetOf(tag: SaxesTagNS): PhoneticAlphabet {
    const alphabet = attribute(tag, 'alphabet') ?? this.#alphabet;
    if (alphabet !== undefined && ALPHABETS.includes(alphabet)) return alphabet as PhoneticAlphabet;
    const found = alphabet === undefined ? 'none is named' : `"${alphabet}" is not known`;
    throw this.#refusal(`of phonetic alphabets, ${found}: use one of ${ALPHABETS.join(', ')}`);
  }

  #addRules({ graphemes, readings, line, caseSensitive, wordBoundaries }: Lexeme): void {
    this.#lexeme = undefined;
    const reading = readings.find(({ isPreferred }) => isPreferred) ?? readings[0];
    if (!reading || graphemes.length === 0) {
      throw unreadable(
        `the lexeme in line ${line} needs a <grapheme> and an <alias> or a <phoneme>`,
      );
    }
    const { isPreferred: _, ...sound } = reading;
    for (const stringToReplace of graphemes) {
      const rule = { ...sound, stringToReplace, caseSensitive, wordBoundaries };
      const key = sameTextKey(rule);
      if (!this.#rules.has(key)) this.#rules.set(key, rule);
    }
    if (this.#rules.size > MAX_RULES) throw this.#refusal(`it has more than ${MAX_RULES} rules`);
  }

  #refusal(reason: string): SpeechError {
    return unreadable(`${reason} (line ${this.#parser.line})`);
  }
}

function attribute(tag: SaxesTagNS, local: string, uri = ''): string | undefined {
  const attributes: readonly SaxesAttributeNS[] = Object.values(tag.attributes);
  return attributes.find((one) => one.local === local && one.uri === uri)?.value;
}

function unreadable(reason: string, options: { cause?: unknown } = {}): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `The lexicon cannot be read: ${reason}. Send a .pls file (W3C Pronunciation Lexicon Specification 1.0).`,
    { ...options, param: 'file' },
  );
}
