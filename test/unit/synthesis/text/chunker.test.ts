import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type ChunkPolicy,
  policyForAutoMode,
  policyForLevel,
  policyForSchedule,
} from '../../../../src/synthesis/text/chunk-policy.ts';
import { type Chunk, Chunker } from '../../../../src/synthesis/text/chunker.ts';
import { pushAll } from '../../../support/cut-text.ts';

const LANGUAGES =
  'zh ko nl tr sv id fil ja uk el cs fi ro ru da bg ms sk hr ar ta en pl de es fr it hi pt'.split(
    ' ',
  );

const SENTENCES = policyForLevel(0);
const EARLIEST = policyForLevel(3);

/** Rows of a fixture: language, text, and the chunks expected of it, joined by `|`. */
function rows(name: string): [string, string, string][] {
  const file = new URL(`../../../fixtures/text/${name}.tsv`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [language = '', text = '', chunks = ''] = line.split('\t');
    return [language, text, chunks];
  });
}

function texts(chunks: readonly Chunk[]): string[] {
  return chunks.map((chunk) => chunk.text);
}

/** What each fragment sets free, and at last what a flush does. */
function pushed(policy: ChunkPolicy, fragments: readonly string[], language = 'en'): string[][] {
  const chunker = new Chunker(policy, language);
  return [
    ...fragments.map((fragment) => texts(pushAll(chunker, fragment))),
    texts(chunker.flush()),
  ];
}

describe.each([
  ['chunks-sentences', SENTENCES],
  ['chunks-level-3', EARLIEST],
] as const)('the texts of %s', (name, policy) => {
  it('cover every language', () => {
    const covered = new Set(rows(name).map(([language]) => language.split('-')[0]));
    expect([...covered].sort()).toEqual([...LANGUAGES].sort());
  });

  it.each(rows(name))('%s: %s', (language, text, expected) => {
    const chunks = pushed(policy, [text.replaceAll('\\n', '\n')], language).flat();
    expect(chunks.join('|').replaceAll('\n', '\\n')).toBe(expected);
  });
});

describe('a complete sentence', () => {
  it.each([
    ['en', 'Hello there.'],
    ['en', 'Are you sure?'],
    ['en', 'Wow!'],
    ['en', 'I see…'],
    ['en', 'He said "yes."'],
    ['en', 'It is fine (really).'],
    ['en', 'It is 5%.'],
    ['en', 'First paragraph\n\n'],
    ['el', 'Τι κάνετε;'],
    ['hi', 'नमस्ते।'],
    ['ar', 'كيف حالك؟'],
    ['zh', '您好。'],
    ['zh', '“好的。”'],
    ['ja', 'はい！'],
    ['ko', '네.'],
    ['de', 'Er sagte: „Gut.“'],
  ])('is spoken without waiting (%s: %s)', (language, text) => {
    const chunks = pushAll(new Chunker(SENTENCES, language), text);
    expect(chunks.map(({ text, reason }) => [text, reason])).toEqual([
      [text.trimEnd(), 'sentence'],
    ]);
  });

  it.each([
    ['en', 'It costs 3.', '50 today.', 'It costs 3.50 today.'],
    ['en', 'Ask Dr.', ' Lee now.', 'Ask Dr. Lee now.'],
    ['en', 'Meet J.', ' R. Smith.', 'Meet J. R. Smith.'],
    ['en', 'At 3 p.m.', ' or so.', 'At 3 p.m. or so.'],
    ['en', 'Try www.', 'example.com now.', 'Try www.example.com now.'],
    ['en', 'Visit example.', 'com today.', 'Visit example.com today.'],
    ['en', 'Mail joe@example.', 'com today.', 'Mail joe@example.com today.'],
    ['en', 'Say "go.', '"', 'Say "go."'],
    ['en', 'See a.b/c?', 'd=1 now.', 'See a.b/c?d=1 now.'],
    ['en', '1.', ' Open it.', '1. Open it.'],
    ['de', 'Am 3.', ' März.', 'Am 3. März.'],
    ['fi', 'Se on 3.', ' maaliskuuta.', 'Se on 3. maaliskuuta.'],
    ['ja', '「はい。」', 'と言った。', '「はい。」と言った。'],
    ['fr', '« Oui.', ' »', '« Oui. »'],
  ])('in doubt waits for what follows (%s: %s)', (language, first, second, whole) => {
    expect(pushed(SENTENCES, [first, second], language).filter(([one]) => one)).toEqual([[whole]]);
  });

  it('in doubt is decided by the very next character', () => {
    expect(pushed(SENTENCES, ['It costs 3.', ' ', 'OK. '])).toEqual([
      [],
      ['It costs 3.'],
      [' OK.'],
      [' '],
    ]);
  });
});

describe('early chunks', () => {
  it.each([
    ['after an article', 'I would like to rent the car'],
    ['after a preposition', 'Please send it to'],
    ['between digit groups', 'Call 555 013 0199'],
  ])('never end %s', (_, text) => {
    const cuts = pushed(EARLIEST, [...text, ' ', 'x']).flat();
    for (const chunk of cuts) expect(chunk).not.toMatch(/\b(the|to|a|of|\d+)$/u);
  });

  it('grow: later rules ask for more than the first', () => {
    const chunker = new Chunker(EARLIEST, 'en');
    const words = 'people often talk slowly without pausing anywhere ';
    const lengths = pushAll(chunker, words.repeat(20)).map((chunk) => chunk.text.length);
    expect(lengths[0]).toBeLessThan(25);
    expect(lengths[1]).toBeGreaterThan(lengths[0] ?? 0);
    expect(lengths[2]).toBeGreaterThan(lengths[1] ?? 0);
  });

  it('start afresh when a caller says that the listener hears nothing yet', () => {
    const chunker = new Chunker(EARLIEST, 'en');
    const turn = 'Your appointment is on Friday at noon.';
    const first = texts(pushAll(chunker, turn));
    expect(texts(pushAll(chunker, turn))).not.toEqual(first);
    chunker.restart();
    expect(texts(pushAll(chunker, turn))).toEqual(first);
  });
});

describe('the chunk length schedule', () => {
  const prose = 'Some words make a clause, and more of them make a sentence. ';

  it('makes the n-th chunk when its number of characters waits, and repeats the last', () => {
    const schedule = [50, 80, 60];
    const chunker = new Chunker(policyForSchedule(schedule), 'en');
    const waiting: number[] = [];
    for (const character of prose.repeat(8)) {
      const before = chunker.bufferedChars + 1;
      for (const chunk of pushAll(chunker, character)) {
        expect(chunk.reason).toBe('schedule');
        waiting.push(before);
      }
    }
    // A mark may hold a chunk back for one character more.
    const expected = waiting.map((_, index) => schedule[index] ?? 60);
    for (const [index, count] of waiting.entries()) {
      expect(count - (expected[index] ?? 0)).toBeOneOf([0, 1]);
    }
    expect(waiting.length).toBeGreaterThan(5);
  });

  it('breaks at the best boundary within', () => {
    const chunker = new Chunker(policyForSchedule([100]), 'en');
    expect(texts(pushAll(chunker, prose.repeat(2)))).toEqual([prose.trim()]);
  });

  it('makes a chunk of a fragment that is just long enough', () => {
    const chunker = new Chunker(policyForSchedule([60]), 'en');
    expect(texts(pushAll(chunker, prose))).toEqual([prose.trim()]);
  });

  it('holds its numbers within 50 and 500', () => {
    const { first, later } = policyForSchedule([1, 9999]);
    expect([first.maximum, later[0]?.maximum]).toEqual([50, 500]);
  });
});

describe('auto mode', () => {
  it('speaks every fragment that ends with a space or a mark', () => {
    const fragments = ['Hello ', 'there, ', 'I am Anna.', ' Good ', 'day'];
    expect(pushed(policyForAutoMode(), fragments)).toEqual([
      ['Hello'],
      [' there,'],
      [' I am Anna.'],
      [' Good'],
      [],
      [' day'],
    ]);
  });

  it('waits for whole words of a sender of tokens', () => {
    const fragments = ['Your', ' appoint', 'ment', ' is', ' on', ' Fri', 'day', '.'];
    const chunks = pushed(policyForAutoMode(), fragments).flat();
    expect(chunks).toEqual(['Your appointment', ' is on Friday.']);
  });
});

describe('trigger', () => {
  it('speaks up to the best boundary, and keeps the rest', () => {
    const chunker = new Chunker(policyForSchedule(), 'en');
    pushAll(chunker, 'The technician will arrive at noon, and he will call you before he com');
    const [chunk, ...more] = chunker.trigger();
    expect(chunk).toMatchObject({ text: 'The technician will arrive at noon,', reason: 'trigger' });
    expect(more).toEqual([]);
    expect(texts(chunker.flush())).toEqual([' and he will call you before he com']);
  });

  it('does nothing while no more than the minimum waits', () => {
    const chunker = new Chunker(policyForSchedule(), 'en');
    pushAll(chunker, 'This is far too short to speak.');
    expect(chunker.trigger()).toEqual([]);
    expect(texts(chunker.trigger(20))).toEqual(['This is far too short to speak.']);
  });

  it('takes a mark in doubt for an end', () => {
    const chunker = new Chunker(SENTENCES, 'en');
    expect(pushAll(chunker, 'The fee is 3.')).toEqual([]);
    expect(texts(chunker.trigger(0))).toEqual(['The fee is 3.']);
  });
});

describe('flush', () => {
  it('speaks everything that waits as one chunk, half a surrogate pair too', () => {
    const chunker = new Chunker(policyForSchedule(), 'en');
    pushAll(chunker, 'One. Two, thr\ud83d');
    const [chunk] = chunker.flush();
    expect(chunk).toMatchObject({
      text: 'One. Two, thr\ud83d',
      start: 0,
      end: 14,
      reason: 'flush',
    });
    expect(chunker.bufferedChars).toBe(0);
    expect(chunker.flush()).toEqual([]);
  });

  it('says when nothing is left to say', () => {
    const chunker = new Chunker(SENTENCES, 'en');
    const [spoken] = pushAll(chunker, 'Done.');
    pushAll(chunker, ' \n');
    expect([spoken, ...chunker.flush()].map((chunk) => chunk?.isSpeakable)).toEqual([true, false]);
  });
});

describe('an endless text', () => {
  it.each(['e\u0301', '👩\u200d👧', 'क्षि', '각'.normalize('NFD')])(
    'of one word of %s is cut between grapheme clusters',
    (cluster) => {
      const chunks = pushed(policyForLevel(0), [...cluster.repeat(300)]).flat();
      expect(chunks.length).toBeGreaterThan(1);
      for (const chunk of chunks) {
        expect(chunk).toBe(cluster.repeat(chunk.length / cluster.length));
      }
    },
  );

  it.each([
    ['one letter', 'a'],
    ['spaces', ' '],
    ['dots', '.'],
    ['combining marks', '\u0301'],
    ['joined emoji', '👩\u200d'],
    ['opening quotes', '“'],
    ['Han without marks', '的'],
    ['lone surrogates', '\ud83d'],
    ['abbreviations', 'Dr. '],
  ])('of %s is cut into bounded chunks', (_, unit) => {
    const chunker = new Chunker(policyForLevel(0), 'en');
    let held = 0;
    for (let count = 0; count < 20_000; count += 1) {
      pushAll(chunker, unit);
      held = Math.max(held, chunker.bufferedChars);
    }
    expect(held).toBeLessThanOrEqual(2 * (400 + 64));
  });
});
