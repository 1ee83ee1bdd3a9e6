import { describe, expect, it } from 'vitest';
import { assertNotForeignBody } from '../../../../src/api/wire/foreign-bodies.ts';

const BODIES = {
  firstWire: { text: 'Hi.', model_id: 'eleven_turbo_v2', voice_settings: {} },
  openai: { input: 'Hi.', model: 'tts-1', voice: 'alloy' },
  deepgram: { text: 'Hi.' },
  cartesia: { transcript: 'Hi.', model_id: 'sonic-3', voice: { mode: 'id', id: 'x' } },
} as const;
type Wire = keyof typeof BODIES;

describe('the body of a request to speak', () => {
  it.each<[Wire, Wire, string]>([
    ['firstWire', 'openai', '/v1/text-to-speech'],
    ['firstWire', 'deepgram', '/v1/text-to-speech'],
    ['firstWire', 'cartesia', '/v1/text-to-speech'],
    ['openai', 'firstWire', '/v1/audio/speech'],
    ['openai', 'deepgram', '/v1/audio/speech'],
    ['openai', 'cartesia', '/v1/audio/speech'],
    ['cartesia', 'firstWire', '/tts/bytes'],
    ['cartesia', 'openai', '/tts/bytes'],
    ['cartesia', 'deepgram', '/tts/bytes'],
  ])('of %s is told by %s that it wants %s', (body, own, address) => {
    expect(() => assertNotForeignBody(BODIES[body], own)).toThrow(address);
  });

  it('is let in at its own address, and whatever no wire has', () => {
    for (const own of Object.keys(BODIES) as Wire[]) {
      for (const body of [BODIES[own], {}, null, 5, [], 'text', { other: 1 }]) {
        assertNotForeignBody(body, own);
      }
    }
    assertNotForeignBody(BODIES.deepgram, 'firstWire');
    assertNotForeignBody({ text: 'a', input: 'b' }, 'openai');
  });
});
