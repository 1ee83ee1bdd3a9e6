import { describe, expect, it } from 'vitest';
import { CartesiaDialect } from '../../../../src/api/cartesia/cartesia-dialect.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { SpeechEvent } from '../../../../src/synthesis/speech/messages.ts';

const contextId = 'turn-1';
const chunkNumber = 1;

function open() {
  const held: Array<readonly [string, number]> = [];
  const ended: string[] = [];
  const dialect = new CartesiaDialect('request-1', {
    onAsked: () => undefined,
    onHeld: (id, delayMs) => void held.push([id, delayMs]),
    onEnded: (id) => void ended.push(id),
  });
  return {
    ...{ held, ended },
    decode: (message: object) =>
      dialect.decode(JSON.stringify({ context_id: contextId, ...message })),
    told: (event: SpeechEvent) => dialect.encode(event).map((message) => JSON.parse(message)),
  };
}

const times = (text: string, startMs: number) => {
  const chars = [...text];
  const charStartTimesMs = chars.map((_, index) => startMs + 10 * index);
  const part = { chars, charStartTimesMs, charDurationsMs: chars.map(() => 10) };
  return { original: part, spoken: part };
};
const audio = (alignment?: ReturnType<typeof times>): SpeechEvent => ({
  type: 'audio-frame',
  ...{ contextId, chunkNumber, alignment },
  audio: new Uint8Array([1, 2]),
});

describe('a message of a Cartesia client', () => {
  const text = { type: 'text', contextId, text: 'Hello ', trigger: false };
  const flush = { type: 'flush', contextId };
  const close = { type: 'context-close', contextId };
  it.each([
    [{ transcript: 'Hello ', continue: true }, [text], 3000],
    [{ transcript: 'Hello ', continue: true, max_buffer_delay_ms: 200 }, [text], 200],
    [{ transcript: 'Hello ', continue: true, max_buffer_delay_ms: 0 }, [text, flush], 0],
    [{ transcript: 'Hello ', continue: true, flush: true }, [text, flush], 3000],
    [{ transcript: '', continue: true, flush: 'true' }, [flush], 3000],
    [{ transcript: 'Hello ' }, [text, close], 0],
    [{ transcript: 'Hello ', continue: false, max_buffer_delay_ms: 0 }, [text, close], 0],
    [{ transcript: '', continue: false, something_unknown: 5 }, [close], 0],
    [{ cancel: true }, [{ ...close, isImmediate: true }], 0],
  ])('%j is read', (message, commands, delayMs) => {
    const { decode, held } = open();
    expect(decode(message)).toEqual(commands);
    expect(held).toEqual([[contextId, delayMs]]);
  });

  it.each([
    [{ transcript: null, continue: true }],
    [{ transcript: 5 }],
    [{ transcript: 'a', context_id: '' }],
    [{ transcript: 'a', context_id: 'a'.repeat(257) }],
    [{ transcript: 'a', voice: 5 }],
    [{ transcript: 'a', max_buffer_delay_ms: 6000 }],
    [{ transcript: 'a', output_format: 'raw' }],
  ])('%j is refused', (message) => {
    expect(() => open().decode(message)).toThrow(/^Invalid message: .*"transcript"/);
  });

  it('of another wire is refused with the address that it wants', () => {
    expect(() => open().decode({ text: 'Hi. ' })).toThrow('stream-input');
    expect(() => open().decode({ type: 'Speak', text: 'Hi. ' })).toThrow('WS /v1/speak');
  });
});

describe('an answer to a Cartesia client', () => {
  it('carries audio, and the number of the flush that it belongs to', () => {
    const { decode, told } = open();
    decode({ transcript: 'Hi.', continue: true });
    const chunk = {
      ...{ type: 'chunk', data: 'AQI=', done: false, status_code: 206 },
      step_time: expect.any(Number),
      context_id: contextId,
    };
    expect(told(audio(times('Hi. ', 0)))).toEqual([{ ...chunk, flush_id: 1 }]);
    expect(told({ type: 'flushed', contextId, chunkNumber })).toEqual([
      {
        ...{ type: 'flush_done', done: false, flush_done: true, flush_id: 1 },
        ...{ status_code: 206, context_id: contextId },
      },
    ]);
    expect(told(audio())).toEqual([{ ...chunk, flush_id: 2 }]);
  });

  it('tells whole words, though audio is cut inside of them, and ends with done', () => {
    const { decode, told, ended } = open();
    decode({ transcript: 'Hello you', continue: true, add_timestamps: true });
    expect(told(audio(times('Hello y', 0)))[1]).toMatchObject({
      type: 'timestamps',
      word_timestamps: { words: ['Hello'], start: [0], end: [0.05] },
    });
    expect(told(audio(times('ou', 70)))).toHaveLength(1);
    expect(told({ type: 'context-end', contextId, chunkNumber })).toMatchObject([
      { word_timestamps: { words: ['you'], start: [0.06], end: [0.09] } },
      { type: 'done', done: true, status_code: 206, context_id: contextId },
    ]);
    expect(ended).toEqual([contextId]);
  });

  it('says what is wrong with a context once, in the words of all versions', () => {
    const { decode, told } = open();
    decode({ transcript: 'Hi.', continue: true });
    const error = new SpeechError('voice_id_does_not_exist', 'There is no voice "x".', {
      param: 'voice_id',
    });
    expect(told({ type: 'error', contextId, chunkNumber: 0, error })).toEqual([
      {
        ...{ type: 'error', done: true, status_code: 404, error_code: 'voice_not_found' },
        ...{ title: 'Voice not found', message: 'There is no voice "x".', param: 'voice' },
        error: 'Voice not found: There is no voice "x".',
        ...{ request_id: 'request-1', context_id: contextId },
      },
    ]);
    expect(told({ type: 'context-end', contextId, chunkNumber })).toEqual([]);
    decode({ transcript: 'Hi.' });
    expect(told({ type: 'context-end', contextId, chunkNumber })).toMatchObject([{ type: 'done' }]);
  });
});
