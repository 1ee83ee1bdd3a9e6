import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import { base64, effects, findings, mulawTone, read, side, uuid } from '../phone-harness.ts';

const AUDIO = mulawTone(320);

function streamAudio(data: object = {}) {
  return JSON.stringify({
    type: 'streamAudio',
    data: { audioDataType: 'raw', sampleRate: 8000, audioData: base64(AUDIO), ...data },
  });
}

function playAudio(data: object = {}) {
  return JSON.stringify({
    type: 'playAudio',
    data: { audioContentType: 'raw', sampleRate: 8000, audioContent: base64(AUDIO), ...data },
  });
}

describe("FreeSWITCH's side, with mod_audio_stream", () => {
  it('sends the metadata first, and the rate in the address', () => {
    const it = side('freeswitch', {
      parameters: { lang: 'en' },
      apiKey: 'sk_1',
      format: parseOutputFormat('pcm_16000'),
    });
    expect(read(it.greet())).toEqual([
      { uuid: uuid(1), from: '+12025550123', to: '+12025550199', lang: 'en' },
    ]);
    expect(it.handshake).toEqual({
      headers: { 'xi-api-key': 'sk_1' },
      query: { rate: '16000' },
    });
    expect(it.callerAudio(AUDIO, 0)).toEqual([AUDIO]);
    expect(read(it.key('1', 0))).toEqual([{ event: 'dtmf', digit: '1' }]);
  });

  it('plays streamAudio', () => {
    const it = side('freeswitch');
    expect(it.receive(streamAudio(), 0, 0)).toEqual([{ type: 'audio', audio: Buffer.from(AUDIO) }]);
    expect(findings(it.receive(streamAudio({ sampleRate: 16_000 }), 0, 0)).join()).toContain(
      'sampleRate was not 8000',
    );
    expect(findings(it.receive(streamAudio({ audioDataType: 'mp3' }), 0, 0)).join()).toContain(
      '"mp3"',
    );
    expect(findings(it.receive(playAudio(), 0, 0)).join()).toContain('mod_audio_fork');
    expect(findings(it.receive(AUDIO, 0, 0)).join()).toContain('does not play');
  });

  it('hands everything else to the dialplan, killAudio too', () => {
    const it = side('freeswitch');
    for (const type of ['killAudio', 'mark', 'disconnect', 'anything']) {
      expect(it.receive(JSON.stringify({ type }), 0, 0)).toEqual([]);
    }
  });

  it('plays binary in the build that can', () => {
    const it = side('freeswitch', { variant: 'audio_stream_raw' });
    expect(it.handshake.query).toEqual({ rate: '8000', playback: 'raw' });
    expect(it.receive(AUDIO, 0, 0)).toEqual([{ type: 'audio', audio: AUDIO }]);
  });
});

describe("FreeSWITCH's side, with mod_audio_stream that knows killAudio", () => {
  it('falls silent on it', () => {
    const it = side('freeswitch', { variant: 'audio_stream_kill' });
    expect(it.handshake.query).toEqual({ rate: '8000', playback: 'raw', clears: 'true' });
    expect(it.receive(JSON.stringify({ type: 'killAudio' }), 0, 0)).toEqual([{ type: 'clear' }]);
    expect(it.receive(JSON.stringify({ type: 'mark', data: { name: 'm' } }), 0, 0)).toEqual([]);
  });
});

describe("FreeSWITCH's side, with mod_audio_fork", () => {
  it('plays binary and playAudio, and knows marks and killAudio', () => {
    const it = side('freeswitch', { variant: 'audio_fork' });
    expect(it.handshake.query).toEqual({ rate: '8000', module: 'audio_fork', marks: 'true' });
    expect(effects(it.receive(AUDIO, 0, 0))).toHaveLength(1);
    expect(effects(it.receive(playAudio(), 0, 0))).toHaveLength(1);
    expect(it.receive(JSON.stringify({ type: 'killAudio' }), 0, 0)).toEqual([{ type: 'clear' }]);
    const mark = JSON.stringify({ type: 'mark', data: { name: 'm' } });
    expect(it.receive(mark, 0, 0)).toEqual([{ type: 'mark', name: 'm' }]);
    const told = [
      ...it.tell({ type: 'mark', name: 'm', isCleared: false, atMs: 0 }),
      ...it.tell({ type: 'mark', name: 'n', isCleared: true, atMs: 0 }),
    ];
    expect(read(told)).toEqual([
      { type: 'mark', data: { name: 'm', event: 'playout' } },
      { type: 'mark', data: { name: 'n', event: 'cleared' } },
    ]);
    expect(it.receive(JSON.stringify({ type: 'disconnect' }), 0, 0)).toMatchObject([
      { type: 'hang-up' },
    ]);
    expect(read(it.key('5', 0))).toEqual([{ event: 'dtmf', dtmf: '5', duration: '1600' }]);
  });
});
