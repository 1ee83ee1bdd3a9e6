import { describe, expect, it } from 'vitest';
import type { CarrierSide } from '../../../../../src/tools/desk-phone/carrier-side.ts';
import { effects, findings, mulawTone, read, side, uuid } from '../phone-harness.ts';

const MEDIA = [{ type: 'audio', format: 'PCMU', channels: ['external'], rate: 8000 }];
const SESSION = uuid(1);

/** Speaks as a server to a side, with its own sequence numbers. */
function server(it: CarrierSide) {
  let seq = 0;
  return (type: string, parameters: object = {}, envelope: object = {}) =>
    it.receive(
      JSON.stringify({
        version: '2',
        type,
        seq: ++seq,
        clientseq: 1,
        id: SESSION,
        parameters,
        ...envelope,
      }),
      0,
      0,
    );
}

function opened() {
  const it = side('genesys');
  it.greet();
  const say = server(it);
  expect(say('opened', { media: MEDIA, startPaused: false })).toEqual([]);
  return { it, say };
}

describe("Genesys's side", () => {
  it('opens a session with the media that it has to offer, and names it in the headers', () => {
    const it = side('genesys', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    expect(it.handshake.headers).toMatchObject({
      'audiohook-session-id': SESSION,
      'audiohook-organization-id': uuid(2),
      'audiohook-correlation-id': uuid(3),
      'x-api-key': 'sk_1',
    });
    expect(read(it.greet())).toEqual([
      {
        version: '2',
        id: SESSION,
        type: 'open',
        seq: 1,
        serverseq: 0,
        position: 'PT0S',
        parameters: {
          organizationId: uuid(4),
          conversationId: uuid(5),
          participant: { id: uuid(6), ani: '+12025550123', aniName: '', dnis: '+12025550199' },
          media: MEDIA,
          language: 'en-US',
          inputVariables: { lang: 'en', api_key: 'sk_1' },
        },
      },
    ]);
  });

  it('keeps the caller to itself until the server has opened', () => {
    const it = side('genesys');
    it.greet();
    const frame = mulawTone(1600);
    expect(it.isOpen).toBe(false);
    expect([...it.callerAudio(frame, 0), ...it.key('1', 0)]).toEqual([]);
    server(it)('opened', { media: MEDIA });
    expect(it.isOpen).toBe(true);
    expect(it.callerAudio(frame, 200)).toEqual([frame]);
    expect(read(it.key('1', 0))).toEqual([
      {
        version: '2',
        id: SESSION,
        type: 'dtmf',
        seq: 2,
        serverseq: 1,
        position: 'PT0.2S',
        parameters: { digit: '1' },
      },
    ]);
  });

  it('pings after a second, and then every five', () => {
    const { it } = opened();
    const pings = [];
    for (let atMs = 200; atMs <= 12_000; atMs += 200) {
      const [, ping] = read(it.callerAudio(mulawTone(1600), atMs));
      if (ping) pings.push([atMs, (ping as { type: string }).type]);
    }
    expect(pings).toEqual([
      [1000, 'ping'],
      [6000, 'ping'],
      [11_000, 'ping'],
    ]);
  });

  it('drops what waits at a barge-in, and tells when playing begins and ends', () => {
    const { it, say } = opened();
    expect(say('event', { entities: [{ type: 'barge_in', data: {} }] })).toEqual([
      { type: 'clear' },
    ]);
    expect(say('event', { entities: [{ type: 'bot_turn_response', data: {} }] })).toEqual([]);
    const told = [
      ...it.tell({ type: 'started', atMs: 0 }),
      ...it.tell({ type: 'drained', atMs: 0 }),
    ];
    expect(read(told)).toMatchObject([
      { type: 'playback_started' },
      { type: 'playback_completed' },
    ]);
  });

  it('closes when the caller hangs up, and when the server disconnects', () => {
    const { it, say } = opened();
    expect(read(it.hangUp(0))).toMatchObject([{ type: 'close', parameters: { reason: 'end' } }]);
    expect(say('closed')).toMatchObject([{ type: 'hang-up' }]);
    const other = opened();
    const [reply] = other.say('disconnect', { reason: 'completed' });
    if (reply?.type !== 'reply') throw new Error('No reply came.');
    expect(read(reply.messages)).toMatchObject([{ type: 'close' }]);
    expect(other.say('closed')).toMatchObject([{ type: 'hang-up' }]);
  });

  it('finds audio before opened, and does not play it', () => {
    const events = side('genesys').receive(mulawTone(1600), 0, 0);
    expect(findings(events).join()).toContain('before "opened"');
    expect(effects(events)).toEqual([]);
  });

  it('finds more than five messages a second after a burst of 25, and says 429', () => {
    const { it } = opened();
    const sent = Array.from({ length: 27 }, () => it.receive(mulawTone(1600), 0, 0));
    expect(sent.slice(0, 25).flatMap(findings)).toEqual([]);
    expect(findings(sent[25] ?? []).join()).toContain('5 messages of audio a second');
    const [reply] = effects(sent[25] ?? []);
    if (reply?.type !== 'reply') throw new Error('No reply came.');
    expect(read(reply.messages)).toMatchObject([{ type: 'error', parameters: { code: 429 } }]);
    expect(findings(it.receive(mulawTone(1600), 200, 0))).toEqual([]);
  });

  it.each([
    ['another session', { id: uuid(9) }, 'another session'],
    ['a number that does not follow', { seq: 7 }, 'did not follow'],
    ['an answer to nothing', { clientseq: 99 }, 'clientseq'],
    ['another version', { version: '1' }, 'version'],
  ])('finds %s', (_case, envelope, text) => {
    const { say } = opened();
    expect(findings(say('pong', {}, envelope)).join()).toContain(text);
  });

  it('finds media that were not offered', () => {
    const it = side('genesys');
    it.greet();
    const media = [{ ...MEDIA[0], channels: ['external', 'internal'] }];
    expect(findings(server(it)('opened', { media })).join()).toContain('none of those');
  });
});
