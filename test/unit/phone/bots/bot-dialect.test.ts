import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiStreamDialect } from '../../../../src/api/stream/multi-stream-dialect.ts';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { checkLobbyMessage, decodeBotMessage } from '../../../../src/phone/bots/bot-dialect.ts';

const decode = (message: unknown) => decodeBotMessage(JSON.stringify(message));

describe('text frames of a bot', () => {
  it.each([
    { text: 'Hello ', context_id: 'a' },
    { text: 'Hello ', contextId: 'a', flush: true },
    { text: ' ', context_id: 'a', voice_settings: { speed: '1.1' } },
    { context_id: 'a', generation_config: { chunk_length_schedule: [50] }, flush: true },
    { context_id: 'a', close_context: true },
    { text: 'Without a context.' },
  ])('%j mean what they mean on the streaming websocket', (frame) => {
    const expected = multiStreamDialect.decode(JSON.stringify(frame));
    expect(expected.length).toBeGreaterThan(0);
    const speech = expected.map((command) =>
      command.type === 'keep-alive' ? { type: 'keep-alive' } : command,
    );
    expect(decode(frame)).toEqual(speech);
    expect(decode({ ...frame, type: 'text' })).toEqual(speech);
    expect(decode({ ...frame, type: null })).toEqual(speech);
  });

  it('do not open the door a second time', () => {
    expect(decode({ text: ' ', xi_api_key: 'sk_other' })).toEqual([{ type: 'keep-alive' }]);
  });

  it('end the call where they would end the connection', () => {
    expect(decode({ close_socket: true })).toEqual([
      { type: 'keep-alive' },
      { type: 'hang-up', when: 'after-speech' },
    ]);
  });
});

describe('commands of a bot', () => {
  it.each([
    [{ type: 'clear' }, { type: 'clear' }],
    [{ type: 'clear', text: 'ignored' }, { type: 'clear' }],
    [
      { type: 'mark', name: 'a' },
      { type: 'mark', name: 'a' },
    ],
    [{ type: 'hang_up' }, { type: 'hang-up', when: 'after-speech' }],
    [
      { type: 'hang_up', when: 'now' },
      { type: 'hang-up', when: 'now' },
    ],
    [
      { type: 'transfer', to: '+15551234567' },
      { type: 'transfer', to: '+15551234567' },
    ],
    [
      { type: 'transfer', to: 'sip:desk@pbx.example.com' },
      { type: 'transfer', to: 'sip:desk@pbx.example.com' },
    ],
    [
      { type: 'audio', audio: '/wD/AA==' },
      { type: 'audio', audio: Buffer.from([255, 0, 255, 0]) },
    ],
    [
      { type: 'listen', format: 'pcm_16000' },
      { type: 'listen', format: parseOutputFormat('pcm_16000') },
    ],
    [
      { type: 'listen', format: null },
      { type: 'listen', format: undefined },
    ],
    [{ type: 'keep_alive' }, { type: 'keep-alive' }],
  ])('%j', (message, command) => {
    expect(decode(message)).toEqual([command]);
  });

  it.each([
    [{ type: 'speak' }, 'type'],
    [{ type: 5 }, 'type'],
    [{ type: '__proto__' }, 'type'],
    [{ type: 'mark' }, 'the message'],
    [{ type: 'mark', name: 'x'.repeat(257) }, 'name'],
    [{ type: 'hang_up', when: 'later' }, 'when'],
    [{ type: 'transfer', to: 'call me' }, 'to'],
    [{ type: 'transfer', to: '"/><Dial>' }, 'to'],
    [{ type: 'audio', audio: '' }, 'audio'],
    [{ type: 'audio', audio: 'not base64!' }, 'audio'],
    [{ type: 'listen' }, 'the message'],
    [{ type: 'listen', format: 'mp3_44100_128' }, 'format'],
    [{ text: 5 }, 'text'],
    [{ type: 'text', text: 5 }, 'text'],
    [[], 'the message'],
    ['clear', 'the message'],
    [null, 'the message'],
  ])('%j is refused by name', (message, param) => {
    expect(() => decode(message)).toThrowError(
      expect.objectContaining({ code: 'invalid_input_message', param }),
    );
  });

  it('must be JSON', () => {
    expect(() => decodeBotMessage('clear')).toThrowError(/not JSON/);
  });
});

describe('any message at all', () => {
  const name = fc.constantFrom(
    ...['clear', 'mark', 'hang_up', 'transfer', 'audio', 'listen', 'keep_alive', 'text', ''],
  );
  const oddly = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: fc.jsonValue() });
  const message = fc
    .record(
      {
        type: oddly(name),
        name: oddly(fc.string()),
        when: oddly(fc.constantFrom('now', 'after_speech', 'then')),
        to: oddly(fc.constantFrom('+15551234567', 'sip:a@b', '911', '<>')),
        audio: oddly(fc.base64String()),
        format: oddly(fc.constantFrom('pcm_8000', 'alaw_8000', 'opus_48000_32')),
        text: oddly(fc.string({ unit: 'binary' })),
        context_id: oddly(fc.string({ maxLength: 300 })),
        flush: oddly(fc.boolean()),
        close_context: oddly(fc.boolean()),
        close_socket: oddly(fc.boolean()),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value));
  const anything = fc.oneof(message, fc.json(), fc.string({ unit: 'binary' }));
  const KINDS = ['configure', 'text', 'flush', 'context-close', 'clear', 'mark', 'audio'].concat([
    'listen',
    'hang-up',
    'transfer',
    'keep-alive',
  ]);

  it('is either commands of a call, or refused for what is wrong with it', () => {
    let decoded = 0;
    fc.assert(
      fc.property(anything, (text) => {
        try {
          for (const command of decodeBotMessage(text)) {
            expect(KINDS).toContain(command.type);
            if (command.type === 'audio') expect(command.audio.length).toBeGreaterThan(0);
          }
          decoded += 1;
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(SpeechError);
          expect(thrown).toMatchObject({ code: 'invalid_input_message' });
        }
      }),
      { numRuns: 2000 },
    );
    expect(decoded).toBeGreaterThan(100);
  });
});

describe('the lobby', () => {
  it.each(['{"type":"keep_alive"}', '{}', '{"text":""}', '{"text":" "}'])(
    'lets %s pass',
    (text) => {
      expect(() => checkLobbyMessage(text)).not.toThrow();
    },
  );

  it.each(['{"type":"clear"}', '{"text":"Hello."}', 'x', '{"type":"nonsense"}'])(
    'takes no %s',
    (text) => {
      expect(() => checkLobbyMessage(text)).toThrowError(
        expect.objectContaining({ code: 'invalid_input_message' }),
      );
    },
  );
});
