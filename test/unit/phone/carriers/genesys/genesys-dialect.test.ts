import { describe, expect, it } from 'vitest';
import { genesys } from '../../../../../src/phone/carriers/genesys/genesys.ts';

const SESSION = '30b0e395-84d3-4570-ac13-9a62d8f514c0';
const REQUEST = { headers: { 'audiohook-session-id': SESSION }, query: {} };
const MONO = { type: 'audio', format: 'PCMU', channels: ['external'], rate: 8000 };
const STEREO = { ...MONO, channels: ['external', 'internal'] };
const OPEN = {
  organizationId: 'd7934305-0972-4844-938e-9060eef73d05',
  conversationId: '090eaa2f-72fa-480a-83e0-8667ff89c0ec',
  participant: { id: SESSION, ani: '+13175550100', aniName: 'Test', dnis: '+18005550100' },
  media: [STEREO, MONO],
  language: 'en-US',
  inputVariables: { queue: 'billing', tries: 2 },
};

/** A client that counts as it should. */
class Client {
  readonly dialect = genesys.open(REQUEST);
  #seq = 0;

  say(type: string, parameters: object = {}, fields: object = {}) {
    const message = {
      version: '2',
      id: SESSION,
      type,
      seq: ++this.#seq,
      serverseq: 0,
      position: 'PT0S',
      parameters,
      ...fields,
    };
    return this.dialect.receive(JSON.stringify(message));
  }
}

function opened(open: object = OPEN) {
  const client = new Client();
  return { client, events: client.say('open', open) };
}

const replies = (events: ReturnType<Client['say']>) =>
  events.flatMap((event) =>
    event.type === 'reply' ? event.messages.map((message) => JSON.parse(String(message))) : [],
  );
const refused = expect.objectContaining({ code: 'invalid_input_message' });

describe('Genesys AudioHook', () => {
  it('opens with the caller alone, and starts', () => {
    const { events } = opened();
    expect(replies(events)).toEqual([
      {
        version: '2',
        type: 'opened',
        id: SESSION,
        seq: 1,
        clientseq: 1,
        parameters: { media: [MONO], startPaused: false },
      },
    ]);
    expect(events[1]).toMatchObject({
      type: 'start',
      start: {
        streamId: SESSION,
        carrierCallId: OPEN.conversationId,
        from: '+13175550100',
        to: '+18005550100',
        parameters: { language: 'en-US', queue: 'billing', tries: '2' },
        callerFormat: { name: 'ulaw_8000' },
        spokenFormat: { name: 'ulaw_8000' },
      },
    });
  });

  it('counts its own messages and acknowledges theirs', () => {
    const { client } = opened();
    expect(replies(client.say('ping', { rtt: 'PT0.05S' }))).toMatchObject([
      { type: 'pong', seq: 2, clientseq: 2, parameters: {} },
    ]);
    const clear = client.dialect.clear().map((message) => JSON.parse(String(message)));
    expect(clear).toMatchObject([
      {
        type: 'event',
        seq: 3,
        clientseq: 2,
        parameters: { entities: [{ type: 'barge_in', data: {} }] },
      },
    ]);
    // A kind of a later protocol counts as well.
    expect(client.say('weather')).toEqual([]);
    expect(replies(client.say('ping'))).toMatchObject([{ seq: 4, clientseq: 4 }]);
  });

  it('answers the probe of a connection without making a call of it', () => {
    const { client, events } = opened({
      ...OPEN,
      conversationId: '00000000-0000-0000-0000-000000000000',
    });
    expect(events).toHaveLength(1);
    expect(replies(events)).toMatchObject([{ type: 'opened' }]);
    expect(client.dialect.receive(new Uint8Array(1600))).toEqual([]);
    const closing = client.say('close', { reason: 'end' });
    expect(replies(closing)).toMatchObject([{ type: 'closed' }]);
    expect(closing.at(-1)).toEqual({ type: 'stop' });
  });

  it('takes the caller out of two channels, where nothing else is offered', () => {
    const { client } = opened({ ...OPEN, media: [STEREO] });
    expect(client.dialect.receive(Uint8Array.of(1, 9, 2, 9, 3, 9))).toEqual([
      { type: 'caller-audio', audio: Uint8Array.of(1, 2, 3) },
    ]);
    expect(() => client.dialect.receive(Uint8Array.of(1, 9, 2))).toThrow(refused);
  });

  it('plays 200 ms a message, which is five a second', () => {
    const { client } = opened();
    expect(genesys.unitsPerMessage * 20).toBe(200);
    expect(genesys.maxUnitsPerMessage).toBe(genesys.unitsPerMessage);
    const audio = new Uint8Array(1600).fill(0xff);
    expect(client.dialect.play(audio)).toEqual([audio]);
  });

  it('holds audio back while the caller is on hold', () => {
    const { client } = opened();
    expect(client.say('paused')).toEqual([{ type: 'flow', isOpen: false }]);
    expect(client.say('discarded', { start: 'PT1S', discarded: 'PT2.5S' })).toEqual([]);
    expect(client.say('resumed', { start: 'PT1S', discarded: 'PT2.5S' })).toEqual([
      { type: 'flow', isOpen: true },
    ]);
    expect(client.say('update', { language: 'de-DE' })).toEqual([]);
    expect(client.say('playback_completed')).toEqual([]);
    expect(client.say('dtmf', { digit: '7' })).toEqual([{ type: 'dtmf', digit: '7' }]);
  });

  it('hangs up by a disconnect, once and only while the session lasts', () => {
    const { client } = opened();
    expect(client.dialect.hangUp().map((message) => JSON.parse(String(message)))).toMatchObject([
      { type: 'disconnect', id: SESSION, parameters: { reason: 'completed' } },
    ]);
    client.say('close', { reason: 'disconnect' });
    expect(client.dialect.hangUp()).toEqual([]);
    expect(genesys.open({ headers: {}, query: {} }).hangUp()).toEqual([]);
  });

  it('lives with a message that was one too many in a second', () => {
    const { client } = opened();
    expect(client.say('error', { code: 429, message: 'slow down', retryAfter: 'PT1S' })).toEqual(
      [],
    );
    expect(() => client.say('error', { code: 400, message: 'no' })).toThrow(/error 400/);
  });

  it.each([
    ['a sequence number left out', { seq: 7 }],
    ['an answer to what was not sent', { serverseq: 9 }],
    ['another session', { id: OPEN.conversationId }],
    ['another version', { version: '3' }],
    ['a position that is none', { position: '1s' }],
    ['an id that is none', { id: 'x' }],
  ])('refuses %s', (_, fields) => {
    const { client } = opened();
    expect(() => client.say('ping', {}, fields)).toThrow(refused);
  });

  it.each([
    ['no media', { ...OPEN, media: [] }],
    ['L16 only', { ...OPEN, media: [{ ...MONO, format: 'L16' }] }],
    ['the agent only', { ...OPEN, media: [{ ...MONO, channels: ['internal'] }] }],
    ['no conversation', { ...OPEN, conversationId: undefined }],
  ])('refuses to open with %s', (_, open) => {
    expect(() => opened(open)).toThrow(refused);
  });

  it('refuses audio before it is open, and opening twice', () => {
    expect(() => genesys.open(REQUEST).receive(new Uint8Array(1600))).toThrow(refused);
    const { client } = opened();
    expect(() => client.say('open', OPEN)).toThrow(refused);
    expect(() => client.dialect.receive('{')).toThrow(refused);
    expect(() => client.dialect.receive('{"seq":3}')).toThrow(refused);
  });
});
