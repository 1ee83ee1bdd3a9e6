import type { CharacterTimes } from '../../synthesis/text/alignment.ts';
import { isSpeakable } from '../../synthesis/text/chunker/characters.ts';

/** How far ahead a character is looked for: past marks and blanks that nobody pronounces. */
const LONGEST_UNSPOKEN = 1000;
const BLANK = /^\s+$/u;
/**
 * Who has heard all but this of a word has heard the word. The encoder keeps the last milliseconds of
 * a chunk until the next one comes.
 */
const UNNOTICED_MS = 20;
/** Scripts that put no blank between words: each character counts as one. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

interface TimedCharacter {
  /** Where it ends in the text, in UTF-16 units. */
  readonly end: number;
  /** When it has been heard, in audio of its context. */
  readonly heardAtMs: number;
}

/** What a bot has written in one context, and when each character of it is heard. */
export class Transcript {
  #text = '';
  /** Length of text that is kept no longer. */
  #dropped = 0;
  /** Audio of the context that went before the text that is kept. */
  #startMs = 0;
  /** Ascending, at most one for each character of the text. */
  #times: TimedCharacter[] = [];
  /** Up to where characters have their times, in all text so far. */
  #timedChars = 0;

  /** UTF-16 units written so far. */
  get writtenChars(): number {
    return this.#dropped + this.#text.length;
  }

  /** UTF-16 units up to the last character whose audio there is. */
  get timedChars(): number {
    return this.#timedChars;
  }

  /** Whether there is something to say in what has no audio yet. */
  get isAwaited(): boolean {
    return isSpeakable(this.#text.slice(this.#timedChars - this.#dropped));
  }

  write(text: string): void {
    this.#text += text;
  }

  /**
   * Takes in when characters are heard, as synthesis goes on.
   * @param times of characters of the text, in its order, on the clock of the context's audio.
   * @returns where in the text the first of them stands; undefined when there is none.
   */
  time(times: CharacterTimes): number | undefined {
    let firstAt: number | undefined;
    times.chars.forEach((character, index) => {
      if (BLANK.test(character)) return;
      const at = this.#text.indexOf(character, this.#timedChars - this.#dropped);
      const position = at + this.#dropped;
      if (at === -1 || position - this.#timedChars > LONGEST_UNSPOKEN) return;
      firstAt ??= position;
      this.#timedChars = position + character.length;
      const startMs = times.charStartTimesMs[index] ?? 0;
      const heardAtMs = startMs + (times.charDurationsMs[index] ?? 0);
      this.#times.push({ end: this.#timedChars, heardAtMs });
    });
    return firstAt;
  }

  /**
   * Divides the text where a listener stopped to listen: after the last word that they heard to its
   * end. Both parts, joined, are the text.
   * @param audioMs audio of the context that was heard.
   */
  split(audioMs: number): { readonly heard: string; readonly unheard: string } {
    const at = this.#lastWordEnd(audioMs);
    const unheard = this.#text.slice(at);
    if (!isSpeakable(unheard)) return { heard: this.#text, unheard: '' };
    return { heard: this.#text.slice(0, at), unheard };
  }

  /** Audio that was heard of the text that is kept. */
  heardMs(audioMs: number): number {
    return Math.max(0, Math.round(audioMs - this.#startMs));
  }

  /** All of it has been heard; what is written from now on is told apart from it. */
  restart(audioMs: number): void {
    this.#dropped += this.#text.length;
    this.#timedChars = this.#dropped;
    this.#text = '';
    this.#times = [];
    this.#startMs = audioMs;
  }

  #lastWordEnd(audioMs: number): number {
    for (let index = this.#times.length - 1; index >= 0; index--) {
      const { end, heardAtMs } = this.#times[index] as TimedCharacter;
      const at = end - this.#dropped;
      if (heardAtMs <= audioMs + UNNOTICED_MS && this.#isWordEnd(at)) return at;
    }
    return 0;
  }

  #isWordEnd(at: number): boolean {
    const next = this.#text.charAt(at);
    return next === '' || /\s/u.test(next) || DENSE.test(this.#text.slice(Math.max(0, at - 2), at));
  }
}
