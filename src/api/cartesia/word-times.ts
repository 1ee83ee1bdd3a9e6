import type { Type } from 'typebox';
import type { CharacterTimes } from '../../synthesis/text/alignment.ts';
import type { WordTimesSchema } from './cartesia-event-schemas.ts';

export type WireWordTimes = Type.Static<typeof WordTimesSchema>;

/** Joins the characters of consecutive pieces of audio to words: a piece may end in the middle of one. */
export class WordTimes {
  #word = '';
  #startMs = 0;
  #endMs = 0;

  /** @returns the words that these characters complete; undefined where they complete none. */
  add({ chars, charStartTimesMs, charDurationsMs }: CharacterTimes): WireWordTimes | undefined {
    const times: WireWordTimes = { words: [], start: [], end: [] };
    for (const [index, char] of chars.entries()) {
      if (char.trim() === '') {
        this.#endWord(times);
        continue;
      }
      const startMs = charStartTimesMs[index] ?? 0;
      if (this.#word === '') this.#startMs = startMs;
      this.#word += char;
      this.#endMs = startMs + (charDurationsMs[index] ?? 0);
    }
    return times.words.length > 0 ? times : undefined;
  }

  /** @returns the word that nothing follows; undefined where there is none. */
  end(): WireWordTimes | undefined {
    return this.add({ chars: [' '], charStartTimesMs: [0], charDurationsMs: [0] });
  }

  #endWord({ words, start, end }: WireWordTimes): void {
    if (this.#word === '') return;
    words.push(this.#word);
    start.push(this.#startMs / 1000);
    end.push(this.#endMs / 1000);
    this.#word = '';
  }
}
