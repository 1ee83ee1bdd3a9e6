import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import { prepareCodecs } from '../../../../src/synthesis/audio/codec.ts';
import { MAX_SYMBOLS } from '../../../../src/synthesis/engine/engine.ts';
import { speechStyle } from '../../../../src/synthesis/speech/speech-style.ts';
import type { SpokenChunk } from '../../../../src/synthesis/speech/spoken-chunk.ts';
import { Utterance } from '../../../../src/synthesis/speech/utterance.ts';
import { windowsForLevel } from '../../../../src/synthesis/speech/window-schedules.ts';
import type { ChunkAlignment } from '../../../../src/synthesis/text/alignment.ts';
import type { LatencyLevel } from '../../../../src/synthesis/text/chunk-policy.ts';
import { cutText } from '../../../support/cut-text.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';
import { toneSpeaker, VOICE } from '../../../support/tone-speech.ts';

const TEXT = 'First one. Second one. Third one.';
interface SentFrame {
  readonly audio: Uint8Array;
  readonly alignment: ChunkAlignment | undefined;
}

/** An utterance over an engine whose blocks last 12 ms: less than a frame of mp3 or Opus. */
function utteranceIn(formatName: string, samplesPerSymbol = 64, level: LatencyLevel = 0) {
  const frames: SentFrame[] = [];
  const spoken: SpokenChunk[] = [];
  const engine = new ToneEngine({ samplesPerSymbol });
  const synthesise = vi.spyOn(engine, 'synthesise');
  const style = speechStyle(
    {
      ...{ format: parseOutputFormat(formatName), latencyLevel: level },
      ...{ seed: 1, normalise: false, alignment: 'synchronised' },
    },
    { voice: VOICE, settings: DEFAULT_VOICE_SETTINGS },
  );
  const utterance = new Utterance(
    { ...style, trimsLeadingSilence: false },
    {
      ...{ speaker: toneSpeaker(engine), accountId: 'a' },
      onSpoken: (chunk) => spoken.push(chunk),
    },
    async (audio, alignment) => {
      await Promise.resolve();
      frames.push({ audio, alignment });
    },
  );
  return { utterance, frames, synthesise, spoken };
}

beforeAll(prepareCodecs);

describe('Utterance', () => {
  it.each(['mp3_44100_128', 'opus_48000_64', 'pcm_22050', 'ulaw_8000'])(
    'sends no empty frame of %s, and the times of every character once and in order',
    async (formatName) => {
      const { utterance, frames } = utteranceIn(formatName);
      const { signal } = new AbortController();
      for (const chunk of cutText(TEXT, 0, 'en-US')) {
        await utterance.speak(utterance.prepare(chunk, signal), signal);
      }
      await utterance.flush();
      expect(frames.every(({ audio }) => audio.length > 0)).toBe(true);
      const aligned = frames.flatMap(({ alignment }) => alignment?.original ?? []);
      expect(aligned.flatMap(({ chars }) => chars).join('')).toBe(`${TEXT} `);
      const starts = aligned.flatMap(({ charStartTimesMs }) => charStartTimesMs);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    },
  );

  it('begins with small windows, and again after a flush; what follows is cut into larger ones', async () => {
    const { utterance, synthesise } = utteranceIn('ulaw_8000', 64, 3);
    const { signal } = new AbortController();
    const [chunk] = cutText('Ab.', 0, 'en-US');
    if (!chunk) throw new Error('There is nothing to speak.');
    const speakOne = () => utterance.speak(utterance.prepare(chunk, signal), signal);
    await speakOne();
    await speakOne();
    await utterance.flush();
    await speakOne();
    const { first, next } = windowsForLevel(3);
    expect(synthesise.mock.calls.map(([{ windows }]) => windows)).toEqual([first, next, first]);
    expect(next[0]).toBeGreaterThan(first[0] ?? 0);
  });

  it('gives its encoder back when its context ends early', async () => {
    // Some thousand mp3 encoders fit into memory: one that stayed open each time would be noticed.
    const [chunk] = cutText('Ab.', 0, 'en-US');
    if (!chunk) throw new Error('There is nothing to speak.');
    for (let context = 0; context < 1100; context++) {
      const { utterance, frames } = utteranceIn('mp3_44100_128', 600);
      const abort = new AbortController();
      await utterance.speak(utterance.prepare(chunk, abort.signal), abort.signal);
      abort.abort();
      await utterance.flush();
      expect(frames.length).toBeLessThan(2);
    }
  });

  it('speaks a chunk that is too long for the engine in pieces, as if it were one', async () => {
    const { utterance, frames, synthesise, spoken } = utteranceIn('pcm_22050');
    const { signal } = new AbortController();
    const text = `${'We speak on and on, and '.repeat(15)}stop.`;
    const [chunk] = cutText(text, 0, 'en-US');
    if (!chunk) throw new Error('There is nothing to speak.');
    await utterance.speak(utterance.prepare(chunk, signal), signal);
    await utterance.flush();
    const requests = synthesise.mock.calls.map(([request]) => request);
    expect(requests.length).toBeGreaterThan(1);
    expect(new Set(requests.map(({ seed }) => seed)).size).toBe(requests.length);
    expect(requests.map(({ place }) => place !== undefined)).toEqual(
      requests.map((_, index) => index === 0),
    );
    for (const { symbols } of requests) expect(symbols.length).toBeLessThanOrEqual(MAX_SYMBOLS);
    const aligned = frames.flatMap(({ alignment }) => alignment?.original ?? []);
    expect(aligned.flatMap(({ chars }) => chars).join('')).toBe(`${text} `);
    const starts = aligned.flatMap(({ charStartTimesMs }) => charStartTimesMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(spoken).toHaveLength(1);
    expect(spoken[0]?.chars).toBe(text.length);
    const samples = requests.reduce((sum, { symbols }) => sum + symbols.length * 64, 0);
    expect(spoken[0]?.audioMs).toBeCloseTo((samples / 22_050) * 1000, 3);
  });

  it('says the same again for the same seed, however long its chunks', async () => {
    const say = async () => {
      const { utterance, frames, synthesise } = utteranceIn('pcm_22050');
      const { signal } = new AbortController();
      for (const chunk of cutText(`${'word '.repeat(70)}stop. Go.`, 0, 'en-US')) {
        await utterance.speak(utterance.prepare(chunk, signal), signal);
      }
      const audio = Buffer.concat(frames.map((frame) => frame.audio));
      return { audio, seeds: synthesise.mock.calls.map(([{ seed }]) => seed) };
    };
    expect(await say()).toEqual(await say());
  });
});
