import { describe, expect, it } from 'vitest';
import { scriptRuns } from '../../../../src/synthesis/phonemes/script-runs.ts';

const runsOf = (text: string, language = 'en-us') =>
  scriptRuns(text, language).map((run) => `${run.reader}:${run.text}`);

describe('scriptRuns', () => {
  it('cuts where the script changes, and keeps foreign words together', () => {
    expect(runsOf('Call Владимир now.')).toEqual(['own:Call ', 'ru:Владимир', 'own: now.']);
    expect(runsOf('a Доброе утро, мир!')).toEqual([
      'own:a ',
      'ru:Доброе утро',
      'own:, ',
      'ru:мир',
      'own:!',
    ]);
    expect(runsOf('日本ラ')).toEqual(['cmn:日本', 'ja:ラ']);
    expect(runsOf('Αθήνα Київ')).toEqual(['el:Αθήνα ', 'uk:Київ']);
  });

  it.each([
    ['Україна', 'uk'],
    ['Љубљана', 'sr'],
    ['Мінск, ўсё', 'uk'],
    ['پاکستان', 'fa'],
    ['ٹماٹر', 'ur'],
    ['สวัสดี', 'none'],
    ['ᏣᎳᎩ', 'none'],
  ])('gives %s to %s, by its letters', (text, reader) => {
    expect(scriptRuns(text, 'en-us')[0]?.reader).toBe(reader);
  });

  it('leaves a language its own scripts, Latin letters and Greek symbols', () => {
    expect(runsOf('Привет, world', 'ru')).toEqual(['own:Привет, world']);
    expect(runsOf('こんにちは、世界', 'ja')).toEqual(['own:こんにちは、世界']);
    expect(runsOf('λ')).toEqual(['own:λ']);
    expect(runsOf('Ça va, où? 42 — €', 'de')).toEqual(['own:Ça va, où? 42 — €']);
    expect(runsOf('Привет', 'xx')).toEqual(['own:Привет']);
  });

  it('loses nothing of a text, however long', () => {
    const text = '👍 aяaαא\u0301\u200dक你'.repeat(5000);
    expect(
      scriptRuns(text, 'en-us')
        .map((run) => run.text)
        .join(''),
    ).toBe(text);
  });
});
