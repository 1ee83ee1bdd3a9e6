import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import type { SynthesisRequest } from '../../../../src/synthesis/engine/engine.ts';
import { speechStyle } from '../../../../src/synthesis/speech/speech-style.ts';
import { type SpokenFrame, TextReader } from '../../../../src/synthesis/speech/text-reader.ts';
import { FrontEnd } from '../../../../src/synthesis/text/front-end.ts';
import { LetterPhonemiser } from '../../../support/letter-phonemiser.ts';
import { readTones, ToneEngine } from '../../../support/tone-engine.ts';
import { toneSpeaker, VOICE } from '../../../support/tone-speech.ts';

const TEXT = 'First one. Second one. Third one.';
const NEVER = new AbortController().signal;
const STYLE = speechStyle(
  {
    ...{ format: parseOutputFormat('pcm_22050'), latencyLevel: 0 },
    ...{ seed: 1, normalise: false, alignment: 'synchronised' },
  },
  { voice: VOICE, settings: DEFAULT_VOICE_SETTINGS },
);

class WatchedEngine extends ToneEngine {
  readonly requests: SynthesisRequest[] = [];

  override synthesise(request: SynthesisRequest, signal: AbortSignal) {
    this.requests.push(request);
    return super.synthesise(request, signal);
  }
}

class WatchedPhonemiser extends LetterPhonemiser {
  readonly read: string[] = [];

  override pronounce(spoken: string, language: string, signal: AbortSignal) {
    this.read.push(spoken.trim());
    return super.pronounce(spoken, language, signal);
  }
}

function recitalOf(text: string, engine = new WatchedEngine()) {
  const phonemiser = new WatchedPhonemiser();
  const spoken: number[] = [];
  const frontEnd = new FrontEnd(phonemiser, () => undefined);
  const reader = new TextReader([{ text, style: STYLE }], {
    ...{ speaker: toneSpeaker(engine, { frontEnd }), accountId: 'a' },
    onSpoken: ({ chars }) => spoken.push(chars),
  });
  return { reader, engine, phonemiser, spoken };
}

async function all(frames: AsyncIterable<SpokenFrame>): Promise<SpokenFrame[]> {
  const collected: SpokenFrame[] = [];
  for await (const frame of frames) collected.push(frame);
  return collected;
}

describe('a reader', () => {
  it('speaks every chunk in turn, and times its characters from the start', async () => {
    const { reader, spoken } = recitalOf(TEXT);
    const frames = await all(reader.frames(NEVER));
    expect(readTones(Buffer.concat(frames.map(({ audio }) => audio)))).toBe(TEXT);
    expect(spoken).toEqual([10, 12, 11]);
    const starts = frames.flatMap(({ alignment }) => alignment?.original.charStartTimesMs ?? []);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  });

  it('says how much of the text is heard', async () => {
    const { reader } = recitalOf(TEXT);
    const reached = (await all(reader.frames(NEVER))).map(({ reachedChars }) => reachedChars);
    expect([...new Set(reached)]).toEqual([10, 22, 33]);
  });

  it('starts anew once, and then goes on: only its first chunk may be refused', async () => {
    const { reader, engine } = recitalOf(TEXT);
    await all(reader.frames(NEVER));
    expect(engine.requests.map(({ place }) => place !== undefined)).toEqual([true, false, false]);
    expect(engine.reserved.size).toBe(0);
  });

  it('works as far as it is asked to: one chunk is read ahead, no block is made ahead', async () => {
    const { reader, engine, phonemiser } = recitalOf(TEXT);
    const frames = reader.frames(NEVER);
    expect(engine.requests).toHaveLength(0);
    await frames.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(engine.spoken.join('')).toBe('Firs');
    expect(phonemiser.read).toEqual(['First one.', 'Second one.']);
    await frames.return();
    expect(engine.liveJobs).toBe(0);
    expect(engine.spoken.join('')).toBe('Firs');
  });

  it('stops at once when it is aborted', async () => {
    const { reader, engine } = recitalOf(TEXT);
    const abort = new AbortController();
    const frames = reader.frames(abort.signal);
    await frames.next();
    engine.hold();
    const next = frames.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort(new Error('The line is dead.'));
    await expect(next).rejects.toThrow('The line is dead.');
    expect(engine.liveJobs).toBe(0);
    expect(await frames.next()).toEqual({ done: true, value: undefined });
  });

  it('throws what the engine throws, after what was spoken before', async () => {
    const { reader, spoken } = recitalOf(TEXT, new WatchedEngine({ failOn: 'T' }));
    await expect(all(reader.frames(NEVER))).rejects.toThrow('told to fail');
    expect(spoken).toEqual([10, 12]);
  });
});
