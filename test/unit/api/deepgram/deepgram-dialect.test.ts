import { describe, expect, it } from 'vitest';
import { DeepgramDialect } from '../../../../src/api/deepgram/deepgram-dialect.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { SpeechEvent } from '../../../../src/synthesis/speech/messages.ts';

const decode = (frame: unknown) => new DeepgramDialect('request-1').decode(JSON.stringify(frame));
const contextId = 'speak';
const chunkNumber = 1;

describe('a message of a Deepgram client', () => {
  it.each([
    [
      { type: 'Speak', text: 'Hello. ' },
      [{ type: 'text', contextId, text: 'Hello. ', trigger: false }],
    ],
    [{ type: 'Flush' }, [{ type: 'flush', contextId }]],
    [{ type: 'Clear' }, [{ type: 'clear', contextId }]],
    [{ type: 'Close' }, [{ type: 'session-end' }]],
    [{ type: 'KeepAlive' }, [{ type: 'keep-alive' }]],
    [{ type: 'Flush', something_unknown: 5 }, [{ type: 'flush', contextId }]],
  ])('%j is read', (frame, commands) => {
    expect(decode(frame)).toEqual(commands);
  });

  it.each([
    [{ type: 'Speak' }],
    [{ type: 'Speak', text: 5 }],
    [{ type: 'speak', text: 'Hello.' }],
    [{ type: 'Shout', text: 'Hello.' }],
    [{}],
    [[]],
    [null],
  ])('%j is refused', (frame) => {
    expect(() => decode(frame)).toThrow(/^Invalid message: .*"type":"Speak"/);
  });

  it('of the first wire is refused with the address that it wants', () => {
    for (const frame of [{ text: 'Hi. ' }, { text: '' }, { context_id: 'a', flush: true }]) {
      expect(() => decode(frame)).toThrow('stream-input');
    }
  });
});

describe('what a Deepgram client is told', () => {
  it('counts the answers to Flush and Clear together', () => {
    const dialect = new DeepgramDialect('request-1');
    const events: SpeechEvent[] = [
      { type: 'flushed', contextId, chunkNumber },
      { type: 'cleared', contextId, chunkNumber },
      { type: 'flushed', contextId, chunkNumber },
    ];
    expect(events.map((event) => JSON.parse(String(dialect.encode(event))))).toEqual([
      { type: 'Flushed', sequence_id: 0 },
      { type: 'Cleared', sequence_id: 1 },
      { type: 'Flushed', sequence_id: 2 },
    ]);
  });

  it('is audio as it is, nothing of contexts, and errors by their names', () => {
    const dialect = new DeepgramDialect('request-1');
    const audio = new Uint8Array([1, 2]);
    const frame = { type: 'audio-frame', contextId, audio, alignment: undefined } as const;
    expect(dialect.encode({ ...frame, chunkNumber })).toBe(audio);
    expect(dialect.encode({ type: 'context-end', contextId, chunkNumber })).toBeUndefined();
    const error = new SpeechError('invalid_api_key', 'No such key.');
    expect(
      JSON.parse(String(dialect.encode({ type: 'error', contextId, chunkNumber, error }))),
    ).toEqual({
      type: 'Error',
      code: 'INVALID_AUTH',
      description: 'No such key.',
      request_id: 'request-1',
    });
  });
});
