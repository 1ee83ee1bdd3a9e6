import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { CallerAudio } from '../../../../src/phone/calls/caller-audio.ts';
import { MediaOrder } from '../../../../src/phone/calls/media-order.ts';
import { UnitPacker } from '../../../../src/phone/calls/unit-packer.ts';
import { WholeSamples } from '../../../../src/phone/calls/whole-samples.ts';
import { sampleCodecOf } from '../../../../src/synthesis/audio/codec.ts';

function pushAll(sequences: readonly number[]): number[] {
  const order = new MediaOrder();
  return sequences.flatMap((sequence) =>
    order.push(sequence, Uint8Array.of(sequence % 256)).map(([byte]) => byte ?? -1),
  );
}

describe('MediaOrder', () => {
  it.each([
    ['as they come', [7, 8, 9], [7, 8, 9]],
    ['once', [1, 1, 2, 2, 1, 3], [1, 2, 3]],
    ['in order', [1, 3, 4, 2, 5], [1, 2, 3, 4, 5]],
    ['without one that never came', [1, 3, 4, 5, 6, 7, 8], [1, 3, 4, 5, 6, 7, 8]],
    ['without one that came too late', [1, 3, 4, 5, 6, 7, 8, 2], [1, 3, 4, 5, 6, 7, 8]],
  ])('hands messages on %s', (_, came, handed) => {
    expect(pushAll(came)).toEqual(handed);
  });

  it('follows a carrier that begins to count anew', () => {
    const anew = Array.from({ length: 60 }, (_, index) => index);
    expect(pushAll([1000, 1001, ...anew]).slice(2)).toEqual(anew.slice(49));
  });

  it('puts any shuffle within four places in order, and loses nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 200 }), (delays) => {
        const came = delays
          .map((delay, sequence) => ({ sequence, at: sequence === 0 ? 0 : sequence + delay }))
          .sort((one, other) => one.at - other.at || one.sequence - other.sequence)
          .map(({ sequence }) => sequence);
        expect(pushAll(came)).toEqual(came.map((_, index) => index % 256));
      }),
    );
  });
});

describe('UnitPacker', () => {
  it('carries all bytes over in order, in multiples, and says whose they are', () => {
    const pieces = fc.array(
      fc.record({ owner: fc.constantFrom('a', 'b'), bytes: fc.integer({ min: 0, max: 700 }) }),
    );
    const packing = fc.record({
      unitsPerMessage: fc.integer({ min: 1, max: 5 }),
      maxUnitsPerMessage: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(pieces, packing, (given, carrier) => {
        const codec = sampleCodecOf(parseOutputFormat('ulaw_8000'));
        const packer = new UnitPacker<string>(codec, 8000, carrier);
        const expected: number[] = [];
        for (const [index, { owner, bytes }] of given.entries()) {
          packer.push(new Uint8Array(bytes).fill(index), owner);
          expected.push(...new Array<number>(bytes).fill(index));
        }
        packer.pad();
        const packed: number[] = [];
        const owned = { a: 0, b: 0 };
        while (packer.hasMessage) {
          const { units, stretches } = packer.take(packer.bytesWithin(500));
          expect(units.length % (160 * carrier.unitsPerMessage)).toBe(0);
          expect(units.length).toBeGreaterThan(0);
          packed.push(...units);
          for (const { owner, durationMs } of stretches)
            owned[owner as 'a' | 'b'] += durationMs * 8;
        }
        expect(packed.slice(0, expected.length)).toEqual(expected);
        expect(packed.slice(expected.length).every((byte) => byte === 0xff)).toBe(true);
        for (const owner of ['a', 'b'] as const) {
          const bytes = given.filter((piece) => piece.owner === owner);
          expect(owned[owner]).toBeCloseTo(bytes.reduce((sum, piece) => sum + piece.bytes, 0));
        }
      }),
    );
  });

  it.each([
    ['ulaw_8000', 0xff],
    ['alaw_8000', 0xd5],
    ['pcm_16000', 0],
  ])('pads %s with its true silence', (name, byte) => {
    const format = parseOutputFormat(name);
    const packing = { unitsPerMessage: 1, maxUnitsPerMessage: 1 };
    const packer = new UnitPacker<string>(sampleCodecOf(format), format.sampleRate, packing);
    packer.push(new Uint8Array(2), 'a');
    packer.pad();
    const { units, isSpeech } = packer.take(packer.bytesWithin(20));
    expect(new Set(units.subarray(2))).toEqual(new Set([byte]));
    expect(isSpeech).toBe(true);
    packer.pushSilence(100);
    expect(packer.take(packer.bytesWithin(20)).isSpeech).toBe(false);
  });
});

describe('WholeSamples', () => {
  it('mends samples that were cut, and loses no byte but the last half', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), (pieces) => {
        const whole = new WholeSamples(2);
        const taken = pieces.map((piece) => whole.take(piece));
        expect(taken.every(({ length }) => length % 2 === 0)).toBe(true);
        const all = Buffer.concat(pieces);
        expect(Buffer.concat(taken)).toEqual(all.subarray(0, all.length & ~1));
      }),
    );
  });
});

describe('CallerAudio', () => {
  it('changes nothing where the bot wants what the carrier sends', () => {
    const audio = new CallerAudio(parseOutputFormat('ulaw_8000'));
    const heard: Uint8Array[] = [];
    const piece = Uint8Array.of(1, 2, 3);
    audio.listen(parseOutputFormat('ulaw_8000'), (bytes) => heard.push(bytes));
    audio.receive(piece);
    expect(heard).toEqual([piece]);
  });

  it('hands samples on at another rate, without a step where messages meet', () => {
    const audio = new CallerAudio(parseOutputFormat('pcm_24000'));
    const heard: number[] = [];
    audio.watch(16_000, (samples) => heard.push(...samples));
    const tone = Float32Array.from({ length: 24_000 }, (_, at) => 0.5 * Math.sin(at / 20));
    const bytes = sampleCodecOf(parseOutputFormat('pcm_24000')).encode(tone);
    for (let at = 0; at < bytes.length; at += 481) audio.receive(bytes.subarray(at, at + 481));
    expect(heard.length).toBeGreaterThan(15_900);
    for (const [at, sample] of heard.slice(100, 15_000).entries()) {
      expect(sample).toBeCloseTo(0.5 * Math.sin(((at + 100) * 1.5) / 20), 2);
    }
  });
});
