import { expect } from 'vitest';
import type { ServerFrame, StreamClient, WireAlignment } from '../../support/stream-client.ts';

interface WordCheck {
  readonly contextId: string;
  readonly clock: 'chunk' | 'context';
  readonly are: readonly string[];
}

/** What a client needs to have got; the README of test/fixtures/clients says what each means. */
export interface Checks {
  readonly headers?: readonly string[];
  readonly silence?: true;
  readonly fields?: readonly string[];
  readonly mentions?: string;
  readonly below?: number;
  readonly wholeTimes?: true;
  readonly sampleMs?: { readonly bytes: number; readonly per: number };
  readonly binaryMs?: { readonly rate: number; readonly least: number; readonly most: number };
  readonly final?: string | null;
  readonly text?: { readonly contextId?: string; readonly is: string };
  readonly heard?: { readonly contextId?: string; readonly from: string };
  readonly words?: WordCheck;
  readonly failed?: string;
  readonly noError?: true;
  readonly closed?: number;
}

type Check<Name extends keyof Checks> = (
  client: StreamClient,
  wanted: NonNullable<Checks[Name]> | (null extends Checks[Name] ? null : never),
) => void | Promise<void>;

const CHECKS: { readonly [Name in keyof Checks]-?: Check<Name> } = {
  closed: async (client, code) => expect((await client.closed).code).toBe(code),
  headers: (client, names) => {
    for (const name of names) expect(client.headers).toHaveProperty(name);
  },
  silence: (client) => expect(client.frames).toEqual([]),
  fields: (client, names) => {
    for (const frame of client.frames) {
      expect(Object.keys(frame)).toEqual(expect.arrayContaining([...names]));
    }
  },
  mentions: (client, word) => {
    for (const message of messages(client)) expect(message).toContain(word);
  },
  below: (client, bytes) => {
    for (const message of messages(client)) expect(Buffer.byteLength(message)).toBeLessThan(bytes);
  },
  wholeTimes: (client) => {
    expect(alignments(client.frames)).not.toEqual([]);
    for (const { alignment, normalizedAlignment } of client.frames) {
      for (const times of [alignment, normalizedAlignment]) if (times) checkTimes(times);
    }
  },
  sampleMs: (client, { bytes, per }) => {
    const aligned = alignments(client.frames);
    const alignedMs = sum(aligned.flatMap(({ charDurationsMs }) => charDurationsMs));
    const heardMs = (client.audio().length / bytes) * per;
    // Each alignment rounds to whole milliseconds, and each chunk to whole samples.
    expect(Math.abs(heardMs - alignedMs)).toBeLessThanOrEqual(aligned.length);
  },
  binaryMs: (client, { rate, least, most }) => {
    for (const { length } of client.binary) expect(length % 2).toBe(0);
    const heardMs = (Buffer.concat(client.binary).length / 2 / rate) * 1000;
    expect(heardMs).toBeGreaterThanOrEqual(least);
    expect(heardMs).toBeLessThanOrEqual(most);
  },
  final: (client, contextId) => {
    const frames = contextId === null ? client.frames : framesOf(client, contextId);
    expect(frames.filter(({ isFinal }) => isFinal === true)).toHaveLength(1);
    expect(frames.at(-1)).toMatchObject({ isFinal: true, audio: null });
  },
  text: (client, { contextId, is }) => {
    expect(unspaced(written(client, contextId))).toBe(unspaced(is));
  },
  heard: (client, { contextId, from }) => {
    expect(unspaced(written(client, contextId))).not.toBe('');
    expect(unspaced(from).startsWith(unspaced(written(client, contextId)))).toBe(true);
  },
  words: (client, wanted) => checkWords(alignments(framesOf(client, wanted.contextId)), wanted),
  failed: (client, code) => expect(client.frames.at(-1)?.error).toBe(code),
  noError: (client) => {
    expect(client.frames.filter(({ error }) => error !== undefined)).toEqual([]);
  },
};

/** @throws AssertionError of the first check that fails. A check for the close comes first. */
export async function check(client: StreamClient, checks: Checks): Promise<void> {
  for (const [name, perform] of Object.entries(CHECKS)) {
    const wanted = checks[name as keyof Checks];
    if (wanted !== undefined) await (perform as Check<keyof Checks>)(client, wanted as never);
  }
}

/** The server writes JSON as this does: without spaces. */
const messages = (client: StreamClient) => client.frames.map((frame) => JSON.stringify(frame));
const framesOf = (client: StreamClient, contextId: string) =>
  client.frames.filter((frame) => frame.contextId === contextId);
const alignments = (frames: readonly ServerFrame[]): WireAlignment[] =>
  frames.flatMap(({ alignment }) => (alignment ? [alignment] : []));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const unspaced = (text: string) => text.replace(/\s+/g, '');

function written(client: StreamClient, contextId: string | undefined): string {
  const frames = contextId === undefined ? client.frames : framesOf(client, contextId);
  return alignments(frames)
    .flatMap(({ chars }) => chars)
    .join('');
}

function checkTimes({ chars, charStartTimesMs, charDurationsMs }: WireAlignment): void {
  expect(charStartTimesMs).toHaveLength(chars.length);
  expect(charDurationsMs).toHaveLength(chars.length);
  for (const time of [...charStartTimesMs, ...charDurationsMs]) {
    expect(Number.isInteger(time) && time >= 0).toBe(true);
  }
}

interface Timed {
  text: string;
  readonly startMs: number;
  endMs: number;
}

/** Words never go back in time, and the last one ends within the audio. */
function checkWords(aligned: readonly WireAlignment[], { clock, are }: WordCheck): void {
  const words = wordsOf(timedCharacters(aligned, clock));
  expect(words.map(({ text }) => text)).toEqual(are);
  for (const [index, { startMs, endMs }] of words.entries()) {
    expect(endMs).toBeGreaterThanOrEqual(startMs);
    expect(startMs).toBeGreaterThanOrEqual(words[index - 1]?.endMs ?? 0);
  }
  expect(words.at(-1)?.endMs).toBeLessThanOrEqual(
    sum(aligned.flatMap(({ charDurationsMs }) => charDurationsMs)),
  );
}

/** Where times count from each chunk, a player adds up the chunks before it. */
function timedCharacters(
  aligned: readonly WireAlignment[],
  clock: 'chunk' | 'context',
): readonly Timed[] {
  let offsetMs = 0;
  return aligned.flatMap(({ chars, charStartTimesMs, charDurationsMs }) => {
    const timed = chars.map((text, index) => {
      const startMs = offsetMs + (charStartTimesMs[index] ?? 0);
      return { text, startMs, endMs: startMs + (charDurationsMs[index] ?? 0) };
    });
    if (clock === 'chunk') offsetMs += sum(charDurationsMs);
    return timed;
  });
}

function wordsOf(characters: readonly Timed[]): readonly Timed[] {
  const words: Timed[] = [];
  for (const [index, character] of characters.entries()) {
    const last = words.at(-1);
    if (character.text === ' ') continue;
    if (last && characters[index - 1]?.text !== ' ') {
      last.text += character.text;
      last.endMs = character.endMs;
    } else {
      words.push({ ...character });
    }
  }
  return words;
}
