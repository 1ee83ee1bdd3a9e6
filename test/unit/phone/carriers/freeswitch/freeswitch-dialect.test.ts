import { describe, expect, it } from 'vitest';
import type { StreamRequest } from '../../../../../src/phone/calls/carrier.ts';
import { freeswitch } from '../../../../../src/phone/carriers/freeswitch/freeswitch.ts';

const HEADERS = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
const request = (query: StreamRequest['query'] = {}) => ({ headers: HEADERS, query });
const AUDIO = Uint8Array.from({ length: 3200 }, (_, index) => index % 251);
const BASE64 = Buffer.from(AUDIO).toString('base64');

function opened(query: StreamRequest['query'] = {}) {
  const carrier = freeswitch.variant?.(request(query)) ?? freeswitch;
  const dialect = carrier.open(request(query));
  dialect.receive('{}');
  return { carrier, dialect };
}

const parsed = (messages: readonly unknown[]) =>
  messages.map((message) => JSON.parse(String(message)));
const refused = expect.objectContaining({ code: 'invalid_input_message' });

describe('FreeSWITCH', () => {
  it('starts with the metadata of the dialplan', () => {
    const dialect = freeswitch.open(request({ rate: '16000', line: 'sales', 'xi-api-key': 'k' }));
    const metadata = { uuid: 'f3-b1', from: '1000', to: '2000', tier: 'gold' };
    expect(dialect.receive(JSON.stringify(metadata))).toEqual([
      {
        type: 'start',
        start: {
          streamId: 'f3-b1',
          carrierCallId: 'f3-b1',
          from: '1000',
          to: '2000',
          parameters: { line: 'sales', uuid: 'f3-b1', tier: 'gold' },
          callerFormat: expect.objectContaining({ name: 'pcm_16000' }),
          spokenFormat: expect.objectContaining({ name: 'pcm_16000' }),
        },
      },
    ]);
    expect(dialect.receive('{"later":"text"}')).toEqual([]);
    expect(dialect.receive('any text')).toEqual([]);
  });

  it('takes metadata that are no JSON, and none at all', () => {
    expect(freeswitch.open(request()).receive('hello')).toMatchObject([
      { start: { parameters: { metadata: 'hello' }, streamId: HEADERS['sec-websocket-key'] } },
    ]);
    const audio = new Uint8Array(320);
    expect(freeswitch.open(request()).receive(audio)).toMatchObject([
      { type: 'start', start: { parameters: {}, callerFormat: { name: 'pcm_8000' } } },
      { type: 'caller-audio', audio },
    ]);
  });

  it('speaks JSON to mod_audio_stream, which cannot be cleared', () => {
    const { carrier, dialect } = opened();
    expect(carrier).toMatchObject({ clears: false, answersMarks: false, unitsPerMessage: 10 });
    expect(parsed(dialect.play(AUDIO))).toEqual([
      {
        type: 'streamAudio',
        data: { audioDataType: 'raw', sampleRate: 8000, audioData: BASE64 },
      },
    ]);
    expect(parsed(dialect.clear())).toEqual([{ type: 'killAudio' }]);
    expect(dialect.mark('one')).toEqual([]);
  });

  it('speaks binary to builds of mod_audio_stream that play it', () => {
    const { carrier, dialect } = opened({ playback: 'raw' });
    expect(carrier).toMatchObject({ clears: false, answersMarks: false, unitsPerMessage: 1 });
    expect(dialect.play(AUDIO)).toEqual([AUDIO]);
    expect(opened({ playback: 'raw', clears: 'true' }).carrier).toMatchObject({
      clears: true,
      leadMs: 200,
    });
  });

  it('speaks binary to mod_audio_fork, and clears it', () => {
    const { carrier, dialect } = opened({ module: 'audio_fork', rate: '16000' });
    expect(carrier).toMatchObject({ clears: true, answersMarks: false, leadMs: 200 });
    expect(dialect.play(AUDIO)).toEqual([AUDIO]);
    expect(parsed(dialect.clear())).toEqual([{ type: 'killAudio' }]);
    expect(parsed(dialect.hangUp())).toEqual([{ type: 'disconnect' }]);
  });

  it('marks where the build answers marks', () => {
    const { carrier, dialect } = opened({ module: 'audio_fork', marks: 'true' });
    expect(carrier.answersMarks).toBe(true);
    expect(parsed(dialect.mark('one'))).toEqual([{ type: 'mark', data: { name: 'one' } }]);
    const echo = { type: 'mark', data: { name: 'one', event: 'playout' } };
    expect(dialect.receive(JSON.stringify(echo))).toEqual([{ type: 'mark', name: 'one' }]);
    expect(parsed(dialect.clear())).toEqual([{ type: 'killAudio' }, { type: 'clearMarks' }]);
  });

  it('speaks JSON to older builds of mod_audio_fork', () => {
    const { dialect } = opened({ module: 'audio_fork', playback: 'json', rate: '24000' });
    expect(parsed(dialect.play(AUDIO))).toEqual([
      {
        type: 'playAudio',
        data: { audioContentType: 'raw', sampleRate: 24000, audioContent: BASE64 },
      },
    ]);
  });

  it('is mod_audio_stream unless the address says otherwise', () => {
    const { variant: _, open: __, ...row } = freeswitch;
    const { open: ___, ...variant } = opened({ module: 'something' }).carrier;
    expect(variant).toEqual(row);
  });

  it.each([
    ['{"event":"dtmf","digit":"5"}', '5'],
    ['{"event":"dtmf","dtmf":"*","duration":"1600"}', '*'],
    ['{"type":"dtmf","data":{"digit":"a"}}', 'A'],
  ])('hears the key in %s', (message, digit) => {
    expect(opened().dialect.receive(message)).toEqual([{ type: 'dtmf', digit }]);
    expect(freeswitch.open(request()).receive(message)).toMatchObject([
      { type: 'start', start: { parameters: {} } },
      { type: 'dtmf', digit },
    ]);
  });

  it.each([
    ['{"event":"dtmf","digit":"55"}', {}],
    ['{"event":"dtmf"}', {}],
    ['{"event":"mark"}', {}],
    [new Uint8Array(3), {}],
    ['{}', { rate: '11025' }],
    [new Uint8Array(320), { rate: '8000; drop' }],
  ])('refuses %j with %j', (message, query) => {
    expect(() => freeswitch.open(request(query)).receive(message)).toThrow(refused);
  });
});
