import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { SAMPLE_CODECS } from '../../src/synthesis/audio/codec.ts';
import { jointOutlier, rmsDbfs } from '../support/audio-measures.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';

const RATE = 16_000;
/** Of listed voices, a woman's and a man's. */
const [RACHEL, GEORGE] = ['21m00Tcm4TlvDq8ikWAM', 'JBFqnCBsd6RMkjVDRZzb'];
const INPUTS = [
  { text: 'Are you there?', voice_id: RACHEL },
  { text: 'Where else would I be?', voice_id: GEORGE },
  { text: 'Good, then we can begin.', voice_id: RACHEL },
];
/** What is 20 dB quieter than their speech is none: breath, and the noise of the voices. */
const QUIET_DBFS = -36;
const LONGEST_GAP_MS = 700;
/** Of speakers. */
const [LOWEST_HZ, HIGHEST_HZ] = [70, 350];
/** Half of the stretch around a change of voice that is searched for a click. */
const TURN_MS = 250;
/** `jointOutlier` of a step that is heard as a click. */
const CLICK = 4;

interface Segment {
  readonly voice_id: string;
  readonly start_time_seconds: number;
  readonly end_time_seconds: number;
}

let app: App;
let samples: Float32Array;
let segments: readonly Segment[];

const sampleAt = (seconds: number) => Math.round(seconds * RATE);
const cut = ({ start_time_seconds: start, end_time_seconds: end }: Segment) =>
  samples.subarray(sampleAt(start), sampleAt(end));

beforeAll(async () => {
  app = await startRealServer({ SIDETONE_WORKERS: '1' });
  const path = `/v1/text-to-dialogue/with-timestamps?output_format=pcm_${RATE}`;
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ inputs: INPUTS, seed: 7 }),
  });
  expect(response.status).toBe(200);
  const { audio_base64, voice_segments } = (await response.json()) as {
    readonly audio_base64: string;
    readonly voice_segments: readonly Segment[];
  };
  samples = SAMPLE_CODECS.pcm.decode(Buffer.from(audio_base64, 'base64'));
  segments = voice_segments;
});
afterAll(() => app.close());

/** The pitch of a voice in Hz, from the lag at which its loudest stretch is most like itself. */
function pitchHz(voice: Float32Array): number {
  const length = RATE / 5;
  let loudest = voice.subarray(0, length);
  for (let start = 0; start + length <= voice.length; start += length / 4) {
    const stretch = voice.subarray(start, start + length);
    if (rmsDbfs(stretch) > rmsDbfs(loudest)) loudest = stretch;
  }
  let best = { lag: 0, likeness: 0 };
  for (let lag = Math.ceil(RATE / HIGHEST_HZ); lag <= RATE / LOWEST_HZ; lag++) {
    const likeness = likenessAt(loudest, lag);
    if (likeness > best.likeness) best = { lag, likeness };
  }
  return RATE / best.lag;
}

function likenessAt(stretch: Float32Array, lag: number): number {
  let product = 0;
  let energy = 0;
  for (const [index, sample] of stretch.subarray(lag).entries()) {
    product += sample * (stretch[index] ?? 0);
    energy += sample ** 2 + (stretch[index] ?? 0) ** 2;
  }
  return (2 * product) / energy;
}

/** The longest stretch, in milliseconds, in which nothing is heard. */
function longestGapMs(): number {
  const window = RATE / 100;
  let [gap, longest] = [0, 0];
  for (let start = 0; start < samples.length; start += window) {
    gap = rmsDbfs(samples.subarray(start, start + window)) < QUIET_DBFS ? gap + 10 : 0;
    longest = Math.max(longest, gap);
  }
  return longest;
}

describe('a dialogue of two real voices', () => {
  it('says who speaks when, from the first sample to the last', () => {
    expect(segments.map(({ voice_id }) => voice_id)).toEqual([RACHEL, GEORGE, RACHEL]);
    let end = 0;
    for (const segment of segments) {
      expect(segment.start_time_seconds).toBeCloseTo(end, 2);
      end = segment.end_time_seconds;
    }
    expect(end).toBeCloseTo(samples.length / RATE, 2);
  });

  it('is heard of both, each with their own pitch', () => {
    for (const segment of segments) expect(rmsDbfs(cut(segment))).toBeGreaterThan(-35);
    const [first = 0, answer = 0, last = 0] = segments.map((segment) => pitchHz(cut(segment)));
    expect(first / answer).toBeGreaterThan(1.2);
    expect(last / answer).toBeGreaterThan(1.2);
  });

  it('has no gap that a listener would take for a lost line', () => {
    expect(longestGapMs()).toBeLessThan(LONGEST_GAP_MS);
  });

  it('has no click where one voice follows the other', () => {
    for (const { end_time_seconds: turn } of segments.slice(0, -1)) {
      const around = sampleAt(TURN_MS / 1000);
      const steps = Array.from({ length: 2 * around }, (_, index) =>
        jointOutlier(samples, sampleAt(turn) - around + index),
      );
      expect(Math.max(...steps), `at ${turn} s`).toBeLessThan(CLICK);
    }
  });
});
