import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Transcript } from '../../../../src/phone/calls/transcript.ts';
import type { CharacterTimes } from '../../../../src/synthesis/text/alignment.ts';

/** Times of a text, 50 ms a character, as the aligner has them: trimmed, with a blank behind. */
function timesOf(text: string, startMs: number): CharacterTimes {
  const chars = [...text.trim(), ' '];
  return {
    chars,
    charStartTimesMs: chars.map((_, index) => startMs + 50 * index),
    charDurationsMs: chars.map(() => 50),
  };
}

describe('Transcript', () => {
  it('divides a text behind the last word that was heard', () => {
    const transcript = new Transcript();
    transcript.write('Hello, big');
    transcript.write(' world. And more');
    expect(transcript.time(timesOf('Hello, big world.', 0))).toBe(0);
    expect(transcript.split(0)).toEqual({ heard: '', unheard: 'Hello, big world. And more' });
    expect(transcript.split(299)).toMatchObject({ heard: 'Hello,' });
    expect(transcript.split(450)).toMatchObject({
      heard: 'Hello,',
      unheard: ' big world. And more',
    });
    expect(transcript.split(500)).toMatchObject({ heard: 'Hello, big' });
    expect(transcript.split(10_000)).toMatchObject({ heard: 'Hello, big world.' });
    expect(transcript.isAwaited).toBe(true);
  });

  it('says where in the text a chunk begins, past what nobody pronounces', () => {
    const transcript = new Transcript();
    transcript.write('One.  …  Two.');
    expect(transcript.time(timesOf('One.', 0))).toBe(0);
    expect(transcript.time(timesOf('Two.', 200))).toBe(9);
    expect(transcript.isAwaited).toBe(false);
    expect(transcript.time(timesOf('', 400))).toBeUndefined();
  });

  it('counts marks behind the last word as heard with it', () => {
    const transcript = new Transcript();
    transcript.write('Yes! …\n');
    transcript.time(timesOf('Yes!', 0));
    expect(transcript.split(200)).toEqual({ heard: 'Yes! …\n', unheard: '' });
  });

  it('divides between characters where a script knows no blanks', () => {
    const transcript = new Transcript();
    transcript.write('你好世界');
    transcript.time(timesOf('你好世界', 0));
    expect(transcript.split(100)).toEqual({ heard: '你好', unheard: '世界' });
  });

  it('starts anew, and measures from there', () => {
    const transcript = new Transcript();
    transcript.write('One. ');
    transcript.time(timesOf('One.', 0));
    transcript.restart(250);
    transcript.write('Two three. ');
    expect(transcript.time(timesOf('Two three.', 250))).toBe(5);
    expect(transcript.split(400)).toEqual({ heard: 'Two', unheard: ' three. ' });
    expect(transcript.heardMs(400)).toBe(150);
    expect(transcript.writtenChars).toBe(16);
  });

  it('loses nothing, cuts no word, and goes forward with time, however text and times come', () => {
    const word = fc.stringMatching(/^[a-zä日][a-zß¿日]{0,5}[.,!]?$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.nat(20), (words, spoken) => {
        const text = `${words.join(' ')} `;
        const { transcript, audioMs } = spokenIn(text, words.slice(0, spoken));
        let longest = 0;
        for (let heardMs = 0; heardMs <= audioMs + 100; heardMs += 30) {
          const { heard, unheard } = transcript.split(heardMs);
          expect(heard + unheard).toBe(text);
          expect(heard.length).toBeGreaterThanOrEqual(longest);
          expect(`${heard.slice(-1)}|${unheard}`).toMatch(/^\||\|$|\|\s|^日/u);
          longest = heard.length;
        }
        const left = transcript.split(audioMs + 100).unheard;
        expect(left.trim()).toBe(words.slice(spoken).join(' '));
      }),
    );
  });
});

/** Writes a text in small pieces, and times some of its words, 50 ms a letter. */
function spokenIn(text: string, words: readonly string[]) {
  const transcript = new Transcript();
  for (const piece of text.match(/.{1,3}/gsu) ?? []) transcript.write(piece);
  let audioMs = 0;
  for (const word of words) {
    transcript.time(timesOf(word, audioMs));
    audioMs += 50 * (word.length + 1);
  }
  return { transcript, audioMs };
}
