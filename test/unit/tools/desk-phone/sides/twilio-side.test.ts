import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import { base64, effects, findings, mulawTone, read, side, uuid } from '../phone-harness.ts';

const sid = (prefix: string, number: number) => prefix + uuid(number).replaceAll('-', '');

describe("Twilio's side", () => {
  it('greets with connected and start, numbers of the sequence as text', () => {
    const it = side('twilio', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    expect(read(it.greet())).toEqual([
      { event: 'connected', protocol: 'Call', version: '1.0.0' },
      {
        event: 'start',
        sequenceNumber: '1',
        start: {
          accountSid: sid('AC', 3),
          streamSid: sid('MZ', 1),
          callSid: sid('CA', 2),
          tracks: ['inbound'],
          mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
          customParameters: {
            from: '+12025550123',
            to: '+12025550199',
            lang: 'en',
            api_key: 'sk_1',
          },
        },
        streamSid: sid('MZ', 1),
      },
    ]);
    expect(it.handshake.query).toEqual({});
    expect(JSON.stringify(it.handshake.headers)).not.toContain('sk_1');
  });

  it('sends media, keys and stop', () => {
    const it = side('twilio');
    it.greet();
    const streamSid = sid('MZ', 1);
    const frame = mulawTone(160);
    expect(read([...it.callerAudio(frame, 20), ...it.callerAudio(frame, 40.4)])).toEqual([
      {
        event: 'media',
        sequenceNumber: '2',
        media: { track: 'inbound', chunk: '1', timestamp: '20', payload: base64(frame) },
        streamSid,
      },
      {
        event: 'media',
        sequenceNumber: '3',
        media: { track: 'inbound', chunk: '2', timestamp: '40', payload: base64(frame) },
        streamSid,
      },
    ]);
    expect(read([...it.key('5', 50), ...it.hangUp(60)])).toEqual([
      {
        event: 'dtmf',
        sequenceNumber: '4',
        dtmf: { track: 'inbound_track', digit: '5' },
        streamSid,
      },
      {
        event: 'stop',
        sequenceNumber: '5',
        stop: { accountSid: sid('AC', 3), callSid: sid('CA', 2) },
        streamSid,
      },
    ]);
  });

  it('takes media of any length, marks and clears, and echoes marks', () => {
    const it = side('twilio');
    const streamSid = sid('MZ', 1);
    const say = (message: object) => it.receive(JSON.stringify({ streamSid, ...message }), 0, 0);
    const audio = mulawTone(333);
    expect(say({ event: 'media', media: { payload: base64(audio) } })).toEqual([
      { type: 'audio', audio: Buffer.from(audio) },
    ]);
    expect(say({ event: 'mark', mark: { name: 'm' } })).toEqual([{ type: 'mark', name: 'm' }]);
    expect(say({ event: 'clear' })).toEqual([{ type: 'clear' }]);
    expect(read(it.tell({ type: 'mark', name: 'm', isCleared: true, atMs: 1 }))).toEqual([
      { event: 'mark', sequenceNumber: '1', mark: { name: 'm' }, streamSid },
    ]);
    expect(it.tell({ type: 'cleared', atMs: 1 })).toEqual([]);
    expect(it.playout.clearedMarks).toBe('echoed at once');
  });

  it.each([
    ['a WAV header', { payload: base64(Buffer.from('RIFF....WAVEfmt ')) }, 'WAV header'],
    ['an error as audio', { payload: base64(Buffer.from('{"detail":"no"}')) }, 'Text was sent'],
    ['zeros for silence', { payload: base64(new Uint8Array(160)) }, 'full scale'],
    ['no audio at all', { payload: '' }, 'had none in it'],
    ['no payload', {}, 'no payload'],
    ['no Base64', { payload: 'not base64!' }, 'not Base64'],
  ])('finds %s', (_case, media, text) => {
    const it = side('twilio');
    const message = JSON.stringify({ event: 'media', streamSid: sid('MZ', 1), media });
    expect(findings(it.receive(message, 0, 0)).join()).toContain(text);
  });

  it.each([
    ['binary', new Uint8Array(160), 'binary message'],
    ['garbage', 'hello', 'not a JSON object'],
    ['an event of another carrier', JSON.stringify({ event: 'playAudio' }), '"playAudio"'],
    ['a mark without a name', JSON.stringify({ event: 'mark' }), 'no name'],
    ['another stream', JSON.stringify({ event: 'clear', streamSid: 'MZ0' }), 'streamSid'],
  ])('finds %s', (_case, message, text) => {
    expect(findings(side('twilio').receive(message, 0, 0)).join()).toContain(text);
  });

  it('plays what has no stream id all the same, as it is only a finding', () => {
    const message = JSON.stringify({ event: 'media', media: { payload: base64(mulawTone(160)) } });
    expect(effects(side('twilio').receive(message, 0, 0))).toHaveLength(1);
  });

  it('has one format, and no variants', () => {
    const format = parseOutputFormat('pcm_16000');
    expect(() => side('twilio', { format })).toThrow('Twilio has no pcm_16000: use ulaw_8000.');
    expect(() => side('twilio', { variant: 'x' })).toThrow(/no variants/);
  });
});

describe("SignalWire's side", () => {
  it('has L16 besides, and a bearer token', () => {
    const it = side('signalwire', { format: parseOutputFormat('pcm_24000'), apiKey: 'sk_1' });
    const [, start] = read(it.greet()) as [unknown, { start: { mediaFormat: object } }];
    expect(start.start.mediaFormat).toEqual({
      encoding: 'audio/x-l16',
      sampleRate: 24_000,
      channels: 1,
    });
    expect(it.handshake.headers).toEqual({ authorization: 'Bearer sk_1' });
  });

  it('finds half a sample', () => {
    const it = side('signalwire', { format: parseOutputFormat('pcm_16000') });
    const payload = base64(new Uint8Array(641));
    const events = it.receive(JSON.stringify({ event: 'media', media: { payload } }), 0, 0);
    expect(findings(events).join()).toContain('odd byte count');
    expect(effects(events)).toEqual([{ type: 'audio', audio: Buffer.alloc(640) }]);
  });
});
