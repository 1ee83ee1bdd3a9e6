import { describe, expect, it } from 'vitest';
import { assertNotForeign } from '../../../../src/api/wire/foreign-frames.ts';

type Wire = Parameters<typeof assertNotForeign>[1];

describe('a message', () => {
  it.each<[Wire, object, RegExp]>([
    ['streamInput', { voices: ['a'], context_id: 'c' }, /text-to-dialogue/],
    ['streamInput', { inputs: [], flush: true }, /text-to-dialogue/],
    ['streamInput', { type: 'Speak', text: 'Hi.' }, /v1\/speak/],
    ['dialogue', { text: 'Hi.', flush: true }, /text-to-speech/],
    ['dialogue', { text: ' ', voice_settings: {} }, /text-to-speech/],
    ['dialogue', { type: 'Flush' }, /v1\/speak/],
    ['deepgram', { text: 'Hi.' }, /text-to-speech/],
    ['deepgram', { voices: ['a'] }, /text-to-dialogue/],
  ])('to %s is told where it belongs: %j', (wire, message, address) => {
    expect(() => assertNotForeign(message, wire)).toThrow(address);
  });

  it.each<[Wire, unknown]>([
    ['streamInput', { text: 'Hi.', context_id: 'c' }],
    ['streamInput', { flush: true, context_id: 'c' }],
    ['dialogue', { flush: true, context_id: 'c' }],
    ['dialogue', { close_socket: true }],
    ['dialogue', { keep_alive: true }],
    ['dialogue', { inputs: [], text: 'Hi.' }],
    ['deepgram', { type: 'Speak', text: 'Hi.' }],
    ['deepgram', []],
    ['dialogue', null],
  ])('of %s is its own: %j', (wire, message) => {
    expect(() => assertNotForeign(message, wire)).not.toThrow();
  });
});
