import { describe, expect, it } from 'vitest';
import { jambonzDialect } from '../../../../src/api/stream/jambonz-dialect.ts';
import { multiStreamDialect } from '../../../../src/api/stream/multi-stream-dialect.ts';
import { streamInputDialect } from '../../../../src/api/stream/stream-input-dialect.ts';
import type { Dialect } from '../../../../src/api/websocket/dialect.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { SpeechEvent } from '../../../../src/synthesis/speech/messages.ts';

const decodeSingle = (frame: unknown) => streamInputDialect.decode(JSON.stringify(frame));
const decodeMulti = (frame: unknown) => multiStreamDialect.decode(JSON.stringify(frame));
const times = { chars: ['H', 'i'], charStartTimesMs: [0, 40], charDurationsMs: [40, 60] };
const audioFrame: SpeechEvent = {
  type: 'audio-frame',
  contextId: 'a',
  audio: new Uint8Array([255, 254]),
  alignment: { original: times, spoken: times },
  chunkNumber: 2,
};
const contextEnd: SpeechEvent = { type: 'context-end', contextId: 'a', chunkNumber: 2 };
const TRACE = { 'x-trace-id': 'connection-2' };
const written = (dialect: Dialect, event: SpeechEvent) =>
  JSON.parse(String(dialect.encode(event, 'connection-2')));

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
      { type: 'authenticate', credentials: { key: 'sk_1', token: undefined } },
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

  it('reads the spellings of values that REST reads', () => {
    expect(
      decodeSingle({
        text: 'Hi ',
        flush: 'true',
        try_trigger_generation: 'True',
        voice_settings: { stability: '.4', similarity_boost: true, use_speaker_boost: 1 },
        generation_config: { chunk_length_schedule: ['50'] },
      }),
    ).toEqual([
      {
        type: 'configure',
        contextId: 'stream',
        settings: {
          voiceSettings: { stability: 0.4, similarityBoost: 1, useSpeakerBoost: true },
          chunkLengthSchedule: [50],
        },
      },
      { type: 'text', contextId: 'stream', text: 'Hi ', trigger: true },
      { type: 'flush', contextId: 'stream' },
    ]);
  });

  it.each([
    [{ flush: 'perhaps' }, 'flush'],
    [{ flush: 2 }, 'flush'],
    [{ voice_settings: { use_speaker_boost: 2 } }, 'voice_settings.use_speaker_boost'],
    [{ voice_settings: { stability: 'calm' } }, 'voice_settings.stability'],
    [{ voice_settings: { speed: '1.21' } }, 'voice_settings.speed'],
  ])('refuses nonsense, and names it: %j', (frame, param) => {
    expect(() => decodeSingle({ text: 'Hi ', ...frame })).toThrowError(
      expect.objectContaining({ code: 'invalid_input_message', param }),
    );
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
    expect(written(streamInputDialect, audioFrame)).toEqual({
      audio: '//4=',
      isFinal: null,
      alignment: times,
      normalizedAlignment: times,
      ...TRACE,
    });
    expect(written(streamInputDialect, contextEnd)).toEqual({
      audio: null,
      isFinal: true,
      alignment: null,
      normalizedAlignment: null,
      ...TRACE,
    });
  });
});

describe('multi-stream-input', () => {
  it('accepts both spellings of the context id, and writes both', () => {
    expect(decodeMulti({ text: 'Hi ', context_id: 'a' })).toEqual(
      decodeMulti({ text: 'Hi ', contextId: 'a' }),
    );
    expect(written(multiStreamDialect, audioFrame)).toMatchObject({
      contextId: 'a',
      context_id: 'a',
      ...TRACE,
    });
    expect(written(multiStreamDialect, contextEnd)).toEqual({
      audio: null,
      isFinal: true,
      contextId: 'a',
      context_id: 'a',
      ...TRACE,
    });
  });

  it('takes settings without a context as defaults, and starts no context', () => {
    expect(decodeMulti({ text: ' ', voice_settings: { speed: 1.1 }, xi_api_key: 'k' })).toEqual([
      { type: 'authenticate', credentials: { key: 'k', token: undefined } },
      { type: 'configure', settings: { voiceSettings: { speed: 1.1 } } },
      { type: 'keep-alive' },
    ]);
  });

  it('keeps alive what is named, or everything', () => {
    expect(decodeMulti({ text: '' })).toEqual([{ type: 'keep-alive' }]);
    expect(decodeMulti({ text: '', context_id: 'a' })).toEqual([
      { type: 'keep-alive', contextId: 'a' },
    ]);
  });

  it('flushes before it closes when one frame asks for both', () => {
    const types = decodeMulti({ text: 'Bye', context_id: 'a', flush: true, close_context: true });
    expect(types.map(({ type }) => type)).toEqual(['text', 'flush', 'context-close']);
    expect(decodeMulti({ close_socket: true }).map(({ type }) => type)).toContain('session-end');
  });

  it('names the context in an error that concerns one', () => {
    const error = new SpeechError('synthesis_failed', 'It broke.');
    expect(
      written(multiStreamDialect, { type: 'error', contextId: 'a', chunkNumber: 2, error }),
    ).toEqual({
      message: 'It broke.',
      error: 'synthesis_failed',
      code: 1011,
      contextId: 'a',
      context_id: 'a',
      ...TRACE,
    });
  });
});

describe('jambonz', () => {
  const decode = (message: unknown) => jambonzDialect.decode(JSON.stringify(message));

  it('reads words, a flush and a stop', () => {
    expect(decode({ type: 'stream', text: 'Hello.' })).toEqual([
      { type: 'text', contextId: 'call', text: 'Hello. ', trigger: false },
    ]);
    expect(decode({ type: 'flush' })).toEqual([{ type: 'flush', contextId: 'call' }]);
    expect(decode({ type: 'stop' })).toEqual([
      { type: 'context-close', contextId: 'call', isImmediate: true },
    ]);
  });

  it('keeps the words of two messages apart, without adding to the blanks that are there', () => {
    const words = ['Hello', 'there ', 'and\n', 'so on'].flatMap((text) =>
      decode({ type: 'stream', text }).map((command) => 'text' in command && command.text),
    );
    expect(words.join('')).toBe('Hello there and\nso on ');
  });

  it('does nothing for what it does not know, and for a stream of nothing', () => {
    for (const type of ['keepalive', 'connect', '', '__proto__']) {
      expect(decode({ type })).toEqual([{ type: 'keep-alive' }]);
    }
    expect(decode({ type: 'stream', text: '' })).toEqual([]);
    expect(decode({ type: 'stream' })).toEqual([]);
  });

  it.each(['{', '[]', 'null', '{}', '{"type":5}', '{"type":"stream","text":7}'])(
    'refuses %s',
    (message) => {
      expect(() => jambonzDialect.decode(message)).toThrowError(
        expect.objectContaining({ code: 'invalid_input_message' }),
      );
    },
  );

  it('speaks in bytes, ends contexts without a word, and says what went wrong', () => {
    expect(jambonzDialect.encode(audioFrame, 'connection-2')).toEqual(new Uint8Array([255, 254]));
    expect(jambonzDialect.encode(contextEnd, 'connection-2')).toBeUndefined();
    const error = new SpeechError('quota_exceeded', 'Nothing is left.');
    expect(
      written(jambonzDialect, { type: 'error', contextId: 'call', chunkNumber: 2, error }),
    ).toEqual({ type: 'error', error: 'Nothing is left.', code: 'quota_exceeded', ...TRACE });
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
    ['a flag of the wrong type', '{"text":"a","flush":"perhaps"}'],
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
