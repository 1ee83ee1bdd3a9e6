import { describe, expect, it } from 'vitest';
import { pcm16 } from '../../../../src/synthesis/audio/codecs/pcm16.ts';

describe('pcm16', () => {
  it('keeps every 16-bit sample', () => {
    const bytes = new Uint8Array(2 * 65536);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < 65536; index++) view.setInt16(2 * index, index - 32768, true);
    expect(pcm16.encode(pcm16.decode(bytes))).toEqual(bytes);
  });

  it('puts the low byte first', () => {
    expect([...pcm16.encode(Float32Array.of(0x1234 / 32768))]).toEqual([0x34, 0x12]);
  });

  it('rounds to the nearest step, on both sides of zero', () => {
    const steps = [0.4, 0.6, -0.4, -0.6, 1000.4, -1000.6];
    const bytes = pcm16.encode(Float32Array.from(steps, (step) => step / 32768));
    expect([...new Int16Array(bytes.buffer)]).toEqual([0, 1, 0, -1, 1000, -1001]);
  });

  it('reads a view into a larger buffer, and leaves an odd byte out', () => {
    const bytes = Uint8Array.of(9, 9, 9, 0x00, 0x40, 9);
    expect([...pcm16.decode(bytes.subarray(3))]).toEqual([0.5]);
  });
});
