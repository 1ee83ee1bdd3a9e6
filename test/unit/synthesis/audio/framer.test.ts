import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS, parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SAMPLE_CODECS } from '../../../../src/synthesis/audio/codec.ts';
import { Framer } from '../../../../src/synthesis/audio/framer.ts';

const ulaw = parseOutputFormat('ulaw_8000');

describe('Framer', () => {
  it.each([
    ['ulaw_8000', 160],
    ['pcm_8000', 320],
    ['pcm_16000', 640],
    ['pcm_22050', 882],
    ['pcm_24000', 960],
    ['pcm_44100', 1764],
  ])('makes 20 ms of %s %i bytes', (name, bytes) => {
    expect(new Framer(parseOutputFormat(name), 20).frameBytes).toBe(bytes);
  });

  it('loses and reorders nothing, however the bytes arrive', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OUTPUT_FORMATS.filter(({ codec }) => codec in SAMPLE_CODECS)),
        fc.array(fc.uint8Array({ maxLength: 2500 }), { maxLength: 8 }),
        (format, parts) => {
          const framer = new Framer(format, 20);
          const frames = parts.flatMap((part) => framer.push(part));
          const last = framer.flush();
          if (last) frames.push(last);
          const sent = parts.flatMap((part) => [...part]);
          const framed = frames.flatMap((frame) => [...frame]);
          expect(framed.slice(0, sent.length)).toEqual(sent);
          expect(framed.length - sent.length).toBeLessThan(framer.frameBytes);
          expect(frames.every((frame) => frame.length === framer.frameBytes)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('fills the last frame up with silence', () => {
    const framer = new Framer(ulaw, 20);
    framer.push(Uint8Array.of(1, 2, 3));
    expect(framer.flush()).toEqual(
      Uint8Array.from({ length: 160 }, (_, i) => (i < 3 ? i + 1 : 0xff)),
    );
    expect(framer.flush()).toBeUndefined();
  });

  it('gives each frame memory of its own', () => {
    const framer = new Framer(ulaw, 20);
    const bytes = new Uint8Array(320).fill(7);
    const [first, second] = framer.push(bytes) as [Uint8Array, Uint8Array];
    bytes.fill(0);
    first.fill(1);
    expect(second).toEqual(new Uint8Array(160).fill(7));
  });

  it('refuses a duration that cuts samples apart', () => {
    expect(() => new Framer(parseOutputFormat('pcm_22050'), 25)).toThrow(RangeError);
    expect(() => new Framer(ulaw, 0)).toThrow(RangeError);
  });

  it.each(['mp3_44100_128', 'opus_48000_64'])('refuses %s, which has frames of its own', (name) => {
    expect(() => new Framer(parseOutputFormat(name), 20)).toThrow(/cannot be cut/);
  });
});
