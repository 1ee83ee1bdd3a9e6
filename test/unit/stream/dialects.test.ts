import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../src/domain/errors.ts';
import type { SpeechEvent } from '../../../src/speech/messages.ts';
import { multiStreamDialect } from '../../../src/stream/multi-stream-dialect.ts';
import { streamInputDialect } from '../../../src/stream/stream-input-dialect.ts';

const decodeSingle = (frame: unknown) => streamInputDialect.decode(JSON.stringify(frame));
const decodeMulti = (frame: unknown) => multiStreamDialect.decode(JSON.stringify(frame));
const times = { chars: ['H', 'i'], charStartTimesMs: [0, 40], charDurationsMs: [40, 60] };
const audioFrame: SpeechEvent = {
  type: 'audio-frame',
  contextId: 'a',
  audio: new Uint8Array([255, 254]),
  alignment: { original: times, spoken: times },
};

describe('stream-input', () => {
  it('reads the first frame of official clients', () => {
    expect(
      decodeSingle({
        text: ' ',
        try_trigger_generation: true,
        voice_settings: { stability: '0.4', use_speaker_boost: 'true', other: 1 },
        generation_config: { chunk_length_schedule: [50] },
        xi_api_key: 'sk_1',
        something_unknown: {},
      }),
    ).toEqual([
      { type: 'authenticate', key: 'sk_1' },
      {
        type: 'configure',
        contextId: 'stream',
        settings: {
          voiceSettings: { stability: 0.4, useSpeakerBoost: true },
          chunkLengthSchedule: [50],
        },
      },
      { type: 'text', contextId: 'stream', text: ' ', trigger: true },
    ]);
  });

  it.each([[{ text: ' ', voice_settings: {} }], [{ text: ' ', voice_settings: null }]])(
    'accepts empty settings: %j',
    (frame) => {
      expect(decodeSingle(frame)).toEqual([
        { type: 'text', contextId: 'stream', text: ' ', trigger: false },
      ]);
    },
  );

  it('takes an empty text as the end, unless it only flushes', () => {
    expect(decodeSingle({ text: '' }).map(({ type }) => type)).toEqual([
      'context-close',
      'session-end',
    ]);
    expect(decodeSingle({ text: '', flush: true }).map(({ type }) => type)).toEqual(['flush']);
    expect(
      decodeSingle({ text: '', try_trigger_generation: true, flush: false }).map(
        ({ type }) => type,
      ),
    ).toEqual(['context-close', 'session-end']);
  });

  it('writes all four keys in audio and final frames', () => {
    expect(JSON.parse(streamInputDialect.encode(audioFrame))).toEqual({
      audio: '//4=',
      isFinal: null,
      alignment: times,
      normalizedAlignment: times,
    });
    expect(JSON.parse(streamInputDialect.encode({ type: 'context-end', contextId: 'a' }))).toEqual({
      audio: null,
      isFinal: true,
      alignment: null,
      normalizedAlignment: null,
    });
  });
});

describe('multi-stream-input', () => {
  it('accepts both spellings of the context id, and writes both', () => {
    expect(decodeMulti({ text: 'Hi ', context_id: 'a' })).toEqual(
      decodeMulti({ text: 'Hi ', contextId: 'a' }),
    );
    expect(JSON.parse(multiStreamDialect.encode(audioFrame))).toMatchObject({
      contextId: 'a',
      context_id: 'a',
    });
    expect(JSON.parse(multiStreamDialect.encode({ type: 'context-end', contextId: 'a' }))).toEqual({
      audio: null,
      isFinal: true,
      contextId: 'a',
      context_id: 'a',
    });
  });

  it('takes settings without a context as defaults, and starts no context', () => {
    expect(decodeMulti({ text: ' ', voice_settings: { speed: 1.1 }, xi_api_key: 'k' })).toEqual([
      { type: 'authenticate', key: 'k' },
      { type: 'configure', settings: { voiceSettings: { speed: 1.1 } } },
      { type: 'keep-alive', contextId: 'default' },
    ]);
  });

  it.each([[{ text: '' }], [{ text: '', context_id: 'a' }]])('keeps alive on %j', (frame) => {
    expect(decodeMulti(frame).map(({ type }) => type)).toEqual(['keep-alive']);
  });

  it('flushes before it closes when one frame asks for both', () => {
    const types = decodeMulti({ text: 'Bye', context_id: 'a', flush: true, close_context: true });
    expect(types.map(({ type }) => type)).toEqual(['text', 'flush', 'context-close']);
    expect(decodeMulti({ close_socket: true }).map(({ type }) => type)).toContain('session-end');
  });

  it('names the context in an error that concerns one', () => {
    const error = new SpeechError('synthesis_failed', 'It broke.');
    expect(JSON.parse(multiStreamDialect.encode({ type: 'error', contextId: 'a', error }))).toEqual(
      {
        message: 'It broke.',
        error: 'synthesis_failed',
        code: 1011,
        contextId: 'a',
        context_id: 'a',
      },
    );
  });
});

describe.each([
  ['stream-input', streamInputDialect],
  ['multi-stream-input', multiStreamDialect],
])('%s refuses', (_name, dialect) => {
  it.each([
    ['what is not JSON', '{"text":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['text of the wrong type', '{"text":5}'],
    ['a flag of the wrong type', '{"text":"a","flush":"yes"}'],
    ['a setting out of range', '{"text":"a","voice_settings":{"stability":2}}'],
    ['a schedule out of range', '{"text":"a","generation_config":{"chunk_length_schedule":[5]}}'],
    ['an endless context id', JSON.stringify({ text: 'a', context_id: 'x'.repeat(300) })],
  ])('%s', (_what, message) => {
    expect(() => dialect.decode(message)).toThrowError(
      expect.objectContaining({ code: 'invalid_input_message' }),
    );
  });

  it('and does not take prototype keys for fields', () => {
    expect(
      dialect.decode('{"text":"a","__proto__":{"flush":true}}').map(({ type }) => type),
    ).toEqual(['text']);
  });
});
