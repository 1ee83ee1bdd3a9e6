import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  audioSocketPacket,
  PacketParser,
  uuidOf,
} from '../../../../../src/phone/carriers/audiosocket/audiosocket-packets.ts';

describe('AudioSocket packets', () => {
  it('have a type, a length in network order, and a payload', () => {
    expect([...audioSocketPacket(0x10, new Uint8Array(320)).subarray(0, 3)]).toEqual([
      0x10, 0x01, 0x40,
    ]);
    expect([...audioSocketPacket(0, new Uint8Array(0))]).toEqual([0, 0, 0]);
  });

  it('come out whole, however the stream is cut', () => {
    const packet = fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 400 }))
      .map(([type, payload]) => audioSocketPacket(type, payload));
    fc.assert(
      fc.property(
        fc.array(packet, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 }),
        (packets, cuts) => {
          const stream = Buffer.concat(packets);
          const parser = new PacketParser();
          const parsed: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < stream.length; turn++) {
            const size = cuts[turn % cuts.length] as number;
            parsed.push(...parser.push(stream.subarray(at, at + size)));
            at += size;
          }
          expect(parsed.map((one) => [...one])).toEqual(packets.map((one) => [...one]));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are refused when they are longer than any that is due', () => {
    const parser = new PacketParser();
    expect([...parser.push(Uint8Array.of(0x10, 0x40, 0x00))]).toEqual([]);
    const packets = new PacketParser().push(Uint8Array.of(0, 0, 0, 0x10, 0x40, 0x01, 0, 0, 0));
    expect(packets.next().value).toEqual(Buffer.of(0, 0, 0));
    expect(() => packets.next()).toThrow(
      expect.objectContaining({ code: 'invalid_input_message' }),
    );
  });

  it('name calls by the 16 bytes of a UUID', () => {
    const bytes = Buffer.from('40325ec2f4bd2f9fb3e7b7f9e1d2c3a4', 'hex');
    expect(uuidOf(bytes)).toBe('40325ec2-f4bd-2f9f-b3e7-b7f9e1d2c3a4');
    expect(() => uuidOf(bytes.subarray(1))).toThrow(/15 bytes/);
  });
});
