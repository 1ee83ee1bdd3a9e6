import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { CallerAudio } from '../../../../src/phone/calls/caller-audio.ts';
import { voiceWatch } from '../../../../src/phone/calls/voice-watch.ts';
import { findVoiceActivityModel } from '../../../../src/phone/voice-activity/model-file.ts';
import { freshMemory, Silero } from '../../../../src/phone/voice-activity/silero.ts';
import { SpeechEdges } from '../../../../src/phone/voice-activity/speech-edges.ts';
import { openVoiceActivity } from '../../../../src/phone/voice-activity/voice-activity.ts';
import {
  SILERO_WINDOWS,
  type SileroRate,
} from '../../../../src/phone/voice-activity/voice-activity-protocol.ts';
import { mulaw } from '../../../../src/synthesis/audio/codecs/mulaw.ts';
import { Resampler } from '../../../../src/synthesis/audio/resampler.ts';
import { WINDOW_SCHEDULES } from '../../../../src/synthesis/engine/engine.ts';
import { scanModels } from '../../../../src/synthesis/engine/model-catalog.ts';
import { EnginePool } from '../../../../src/synthesis/engine/pool.ts';
import { symbolsOf } from '../../../contract/engine-sentences.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const MODELS_DIR = fileURLToPath(new URL('../../../../models', import.meta.url));
const VOICE = 'en_US-libritts_r-medium';
const VOICE_RATE = 22_050;

/** A sentence of the real voice. */
let speech: Float32Array;
const modelPath = findVoiceActivityModel(MODELS_DIR) ?? '';

beforeAll(async () => {
  const pool = new EnginePool({
    models: scanModels(MODELS_DIR).models,
    cacheFolders: [join(MODELS_DIR, '.cache', 'stages')],
    ...{ workers: 1, cores: 1, maxLoadedModels: 1 },
  });
  await pool.load(VOICE);
  const blocks: number[] = [];
  const request = {
    ...{ accountId: 'a', modelFile: VOICE, speaker: 14, symbols: symbolsOf('medium'), seed: 1 },
    prosody: { variation: 1, rhythm: 1, pace: 1 },
    ...{ windows: WINDOW_SCHEDULES.thrifty, deadline: () => 0 },
  };
  for await (const event of pool.synthesise(request, new AbortController().signal)) {
    if (event.type === 'block') blocks.push(...event.samples);
  }
  await pool.close();
  speech = Float32Array.from(blocks);
}, 60_000);

function seconds(rate: number, length: number, sample: (at: number) => number): Float32Array {
  return Float32Array.from({ length: rate * length }, (_, at) => sample(at));
}

/** Repeats itself, so that a test that fails fails again. */
function noise(level: number): (at: number) => number {
  return (at) => level * ((Math.imul(at + 1, 0x9e3779b1) >>> 8) / 2 ** 23 - 1);
}

/** As a telephone carries it. */
function overThePhone(samples: Float32Array, rate: SileroRate): Float32Array {
  const resampler = new Resampler(VOICE_RATE, rate);
  const body = resampler.process(samples);
  const whole = Float32Array.from([...body, ...resampler.flush()]);
  return mulaw.decode(mulaw.encode(whole));
}

function joined(...parts: readonly Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

/** @returns the edges, with when they came in milliseconds of audio. */
async function listen(samples: Float32Array, rate: SileroRate): Promise<Array<[string, number]>> {
  const silero = await Silero.open(modelPath);
  const memory = freshMemory(rate);
  const length = SILERO_WINDOWS[rate];
  const edges = new SpeechEdges((1000 * length) / rate);
  const found: Array<[string, number]> = [];
  for (let at = 0; at + length <= samples.length; at += length) {
    const edge = edges.push(await silero.hear(samples.slice(at, at + length), rate, memory));
    if (edge) found.push([edge, Math.round((1000 * (at + length)) / rate)]);
  }
  return found;
}

describe('Silero, through SpeechEdges', () => {
  it.each([8000, 16_000] as const)(
    'hears speech begin and end over the phone, at %i Hz',
    async (rate) => {
      const spoken = overThePhone(speech, rate);
      const quiet = seconds(rate, 1, noise(0.001));
      const edges = await listen(joined(quiet, spoken, quiet, quiet), rate);
      const speechMs = (1000 * spoken.length) / rate;
      expect(edges[0]?.[0]).toBe('start');
      expect(edges[0]?.[1]).toBeGreaterThan(1000);
      expect(edges[0]?.[1]).toBeLessThan(1450);
      expect(edges.at(-1)?.[0]).toBe('end');
      expect(edges.at(-1)?.[1]).toBeGreaterThan(1000 + speechMs);
      expect(edges.at(-1)?.[1]).toBeLessThan(1000 + speechMs + 900);
    },
  );

  it.each([
    ['silence', () => 0],
    ['the hiss of a line', noise(0.01)],
    ['loud noise', noise(0.3)],
    ['a dial tone', (at: number) => 0.2 * (Math.sin(at * 0.275) + Math.sin(at * 0.345))],
  ])('hears no speech in %s', async (_, sample) => {
    const line = mulaw.decode(mulaw.encode(seconds(8000, 4, sample)));
    expect(await listen(line, 8000)).toEqual([]);
  });
});

describe('the thread that hears callers', () => {
  const opened = openVoiceActivity(modelPath);
  afterAll(async () => (await opened).close());

  it('keeps callers apart, and tells what it hears of each', async () => {
    const voiceActivity = await opened;
    const silent: string[] = [];
    const talking = new CallerAudio(parseOutputFormat('ulaw_8000'));
    const quiet = new CallerAudio(parseOutputFormat('pcm_24000'));
    const ends: Array<() => void> = [];
    const heard = new Promise<string>((resolve) => {
      ends.push(voiceWatch(voiceActivity, 8000)(talking, resolve));
    });
    ends.push(voiceWatch(voiceActivity, 24_000)(quiet, (edge) => silent.push(edge)));
    const spoken = overThePhone(speech, 8000).subarray(0, 6400);
    for (let at = 0; at < spoken.length; at += 160) {
      talking.receive(mulaw.encode(spoken.subarray(at, at + 160)));
      quiet.receive(new Uint8Array(960));
    }
    expect(await heard).toBe('start');
    for (const end of [...ends, ...ends]) end();
    expect(silent).toEqual([]);
  });

  it('can be closed while it listens', async () => {
    const voiceActivity = await openVoiceActivity(modelPath);
    const listener = voiceActivity.listen(8000, () => undefined);
    listener.hear(new Float32Array(256 * 20));
    await voiceActivity.close();
  });

  it('says what is wrong with a file that is not the model', async () => {
    const path = join(temporaryDir(), 'silero_vad_v5.onnx');
    writeFileSync(path, 'not a model');
    await expect(openVoiceActivity(path)).rejects.toMatchObject({ code: 'voice_file_corrupt' });
    expect(findVoiceActivityModel(temporaryDir())).toBeUndefined();
  });
});
