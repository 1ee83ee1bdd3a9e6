import { describe, expect, it } from 'vitest';
import type { SampleCodec } from '../../src/synthesis/audio/sample-codec.ts';
import { sine, snrDb } from '../support/audio-measures.ts';

/** A-law has no zero: its least magnitude is this. */
const NEARLY_SILENT = 8 / 32768;

/** What every codec that goes sample by sample must do, whatever it encodes to. */
export function sampleCodecContract(name: string, codec: SampleCodec): void {
  const speech = sine(700, 8000, 4000, 0.3);

  describe(`sample codec contract: ${name}`, () => {
    it('makes whole samples only', () => {
      for (const length of [0, 1, 3, 159, 160]) {
        expect(codec.encode(new Float32Array(length))).toHaveLength(length * codec.bytesPerSample);
      }
      expect(codec.silence).toHaveLength(codec.bytesPerSample);
    });

    it('gives back what it was given', () => {
      const decoded = codec.decode(codec.encode(speech));
      expect(snrDb(speech, decoded)).toBeGreaterThan(35);
    });

    it('encodes silence as its silence', () => {
      expect(codec.encode(new Float32Array(1))).toEqual(codec.silence);
      expect(Math.abs(codec.decode(codec.silence)[0] ?? 1)).toBeLessThanOrEqual(NEARLY_SILENT);
    });

    it('clips what is too loud, and never wraps it to the other sign', () => {
      const loud = [1, 1.5, 1000, Number.POSITIVE_INFINITY];
      const [high, low] = [1, -1].map((sign) => {
        const samples = Float32Array.from(loud, (level) => sign * level);
        return [...codec.decode(codec.encode(samples))];
      }) as [number[], number[]];
      for (const sample of high) expect(sample).toBeGreaterThan(0.97);
      for (const sample of low) expect(sample).toBeLessThan(-0.97);
    });

    it('speaks silence for what is not a number', () => {
      expect(codec.encode(Float32Array.of(Number.NaN))).toEqual(codec.silence);
    });

    it('rises with the signal', () => {
      const ramp = Float32Array.from({ length: 4001 }, (_, index) => (index - 2000) / 2000);
      const decoded = codec.decode(codec.encode(ramp));
      const falls = decoded.filter((sample, index) => sample < (decoded[index - 1] ?? -1));
      expect([...falls]).toEqual([]);
    });

    it('gives the same bytes wherever the samples are cut', () => {
      const cut = [codec.encode(speech.slice(0, 1234)), codec.encode(speech.slice(1234))];
      expect(Uint8Array.from(cut.flatMap((part) => [...part]))).toEqual(codec.encode(speech));
    });

    it('leaves its input alone', () => {
      const before = speech.slice();
      codec.encode(speech);
      expect(speech).toEqual(before);
    });
  });
}
