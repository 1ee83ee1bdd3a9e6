import { describe, expect, it } from 'vitest';
import { readWav } from '../../../../src/synthesis/audio/wav.ts';
import { recordingFile, recordingOf } from '../../../../src/tools/desk-phone/recording.ts';
import { callLog, mulawTone, run } from './phone-harness.ts';

function loudFrom(samples: Float32Array): [number, number] {
  const isLoud = (sample: number) => Math.abs(sample) > 0.01;
  return [samples.findIndex(isLoud), samples.findLastIndex(isLoud)];
}

describe('recordingOf', () => {
  it('has both sides from the beginning of the call to its end', () => {
    const frames = [mulawTone(160), mulawTone(160)];
    const log = callLog({
      durationMs: 1000,
      runs: [run(250, 500)],
      caller: { startMs: 20, frames },
    });
    const { bot, caller, sampleRate } = recordingOf(log);
    expect([bot.length, caller.length, sampleRate]).toEqual([8000, 8000, 8000]);
    expect(loudFrom(bot)).toEqual([2000, 3999]);
    expect(loudFrom(caller)).toEqual([160, 479]);
  });

  it('ends with the call, though a piece may be longer by a rounding', () => {
    const { bot } = recordingOf(callLog({ durationMs: 99.9, runs: [run(0, 100)] }));
    expect(bot.length).toBe(800);
    const { bot: late } = recordingOf(callLog({ durationMs: 50, runs: [run(100, 200)] }));
    expect(late.every((sample) => sample === 0)).toBe(true);
  });

  it('becomes a WAV file', () => {
    const wav = readWav(recordingFile(Float32Array.of(0, 0.5, -0.5), 16_000));
    expect(wav.sampleRate).toBe(16_000);
    expect([...wav.samples]).toEqual([0, 0.5, -0.5]);
  });
});
