import { describe, expect, it } from 'vitest';
import { replies, tokens } from '../../../bench/latency/replies.ts';
import { durationMs, leadingSilenceMs } from '../../../bench/latency/utterance.ts';
import { SAMPLE_CODECS } from '../../../src/synthesis/audio/codec.ts';
import { sine } from '../../support/audio-measures.ts';

describe('tokens', () => {
  it('loses no character of a reply, and cuts words as language models do', () => {
    const text = replies(7);
    for (let index = 0; index < 50; index++) {
      const reply = text.next().value;
      const pieces = tokens(reply);
      expect(pieces.join('')).toBe(reply);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(8);
    }
    expect(tokens('Your appointment, $42.')).toEqual([
      'Your',
      ' appoint',
      'ment',
      ',',
      ' $',
      '42',
      '.',
    ]);
  });
});

describe('leadingSilenceMs', () => {
  const arrival = (samples: Float32Array) => ({
    atMs: 0,
    audio: SAMPLE_CODECS.ulaw.encode(samples),
  });

  it('finds where a tone starts, across messages, to within the window', () => {
    const heard = [arrival(new Float32Array(400)), arrival(sine(500, 8000, 400, 0.5))];
    const silenceMs = leadingSilenceMs(heard, 'ulaw_8000') as number;
    expect(Math.abs(silenceMs - 50)).toBeLessThanOrEqual(5);
  });

  it('hears nothing below −40 dBFS', () => {
    expect(leadingSilenceMs([arrival(sine(500, 8000, 800, 0.013))], 'ulaw_8000')).toBeNull();
    expect(leadingSilenceMs([arrival(sine(500, 8000, 800, 0.016))], 'ulaw_8000')).not.toBeNull();
    expect(leadingSilenceMs([], 'ulaw_8000')).toBeNull();
  });
});

describe('durationMs', () => {
  it('knows the bytes of each format', () => {
    expect(durationMs(160, 'ulaw_8000')).toBe(20);
    expect(durationMs(320, 'pcm_8000')).toBe(20);
    expect(durationMs(882, 'pcm_22050')).toBe(20);
  });
});
