import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { sampleCodecOf } from '../../../../src/synthesis/audio/codec.ts';
import { CallerVoice } from '../../../../src/tools/desk-phone/caller-voice.ts';
import { rmsDbfs, sine, toneLevelDb } from '../../../support/audio-measures.ts';

function listen(voice: CallerVoice, format: string, frames: number): Float32Array {
  const codec = sampleCodecOf(parseOutputFormat(format));
  return codec.decode(Buffer.concat(Array.from({ length: frames }, () => voice.frame(20))));
}

describe('CallerVoice', () => {
  it('is silent in the silence of the codec', () => {
    expect(new CallerVoice(parseOutputFormat('ulaw_8000'), 'silence').frame(20)).toEqual(
      new Uint8Array(160).fill(0xff),
    );
    expect(new CallerVoice(parseOutputFormat('alaw_8000'), 'silence').frame(20)).toEqual(
      new Uint8Array(160).fill(0xd5),
    );
    expect(new CallerVoice(parseOutputFormat('pcm_16000'), 'silence').frame(100)).toEqual(
      new Uint8Array(3200),
    );
  });

  it('has noise at about −60 dB instead, if asked', () => {
    const voice = new CallerVoice(parseOutputFormat('pcm_16000'), 'noise');
    const level = rmsDbfs(listen(voice, 'pcm_16000', 50));
    expect(level).toBeGreaterThan(-65);
    expect(level).toBeLessThan(-57);
  });

  it('says what it is given, at the rate of the call, and is silent after it', () => {
    const voice = new CallerVoice(parseOutputFormat('pcm_8000'), 'silence');
    voice.say({ sampleRate: 44_100, samples: sine(440, 44_100, 44_100) });
    expect(voice.isSpeaking).toBe(true);
    const said = listen(voice, 'pcm_8000', 50);
    expect(toneLevelDb(said.subarray(400, 7600), 8000, 440)).toBeCloseTo(-6, 0);
    expect(voice.isSpeaking).toBe(false);
    expect(rmsDbfs(listen(voice, 'pcm_8000', 5))).toBe(-200);
  });

  it('says one thing after the other', () => {
    const voice = new CallerVoice(parseOutputFormat('pcm_8000'), 'silence');
    const samples = new Float32Array(240).fill(0.5);
    voice.say({ sampleRate: 8000, samples });
    voice.say({ sampleRate: 8000, samples });
    const said = listen(voice, 'pcm_8000', 4);
    expect(said.findLastIndex((sample) => sample !== 0)).toBe(479);
  });
});
