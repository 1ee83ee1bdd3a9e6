import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oggCrc } from '../../../../src/synthesis/audio/ogg-crc.ts';
import {
  fitsPage,
  type OggPage,
  readOggPages,
  writeOggPage,
} from '../../../../src/synthesis/audio/ogg-page.ts';

const page = (changes: Partial<OggPage>): OggPage => ({
  serial: 1,
  sequence: 0,
  granule: 0,
  isFirst: false,
  isLast: false,
  packets: [],
  ...changes,
});
const packet = (length: number) => Uint8Array.from({ length }, (_, index) => index & 0xff);

describe('oggCrc', () => {
  it('is the CRC-32 without reflection, start or final value that RFC 3533 names', () => {
    // CRC-32/CKSUM's check value 0x765E7680 is of the same polynomial over a message with its length,
    // inverted at the end; here computed by long division, bit by bit, as the definition goes.
    const division = (bytes: Uint8Array) => {
      let remainder = 0n;
      for (const byte of [...bytes, 0, 0, 0, 0]) {
        for (let bit = 7; bit >= 0; bit--) {
          remainder = (remainder << 1n) | BigInt((byte >> bit) & 1);
          if (remainder >> 32n) remainder ^= 0x1_04c1_1db7n;
        }
      }
      return Number(remainder);
    };
    const message = Buffer.from('123456789');
    expect(oggCrc(message)).toBe(division(message));
    expect(~oggCrc(Buffer.concat([message, Uint8Array.of(9)])) >>> 0).toBe(0x377a_6011);
    expect(oggCrc(new Uint8Array(0))).toBe(0);
  });
});

describe('writeOggPage', () => {
  it('lays a page out as RFC 3533 §6 says', () => {
    const bytes = writeOggPage(
      page({
        serial: 0x01020304,
        sequence: 7,
        granule: 0x1_0000_0002,
        isFirst: true,
        isLast: true,
        packets: [packet(3), packet(255), packet(0)],
      }),
    );
    const header = Buffer.from(bytes.subarray(0, 31)).toString('hex');
    expect(header.slice(0, 44)).toBe(
      '4f67675300' + '06' + '0200000001000000' + '04030201' + '07000000',
    );
    expect(header.slice(52)).toBe('04' + '03ff0000');
    expect(bytes).toHaveLength(27 + 4 + 3 + 255);
  });

  it('refuses more than a page can hold', () => {
    const full = Array.from({ length: 255 }, () => packet(1));
    expect(fitsPage(full)).toBe(true);
    expect(fitsPage([...full, packet(0)])).toBe(false);
    expect(fitsPage([packet(255 * 254), packet(0)])).toBe(false);
    expect(() => writeOggPage(page({ packets: [...full, packet(0)] }))).toThrow(RangeError);
  });
});

describe('readOggPages', () => {
  it('reads back what was written, whatever the lengths of the packets', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            serial: fc.integer({ min: 0, max: 0xffff_ffff }),
            sequence: fc.integer({ min: 0, max: 0xffff_ffff }),
            granule: fc.integer({ min: 0, max: 2 ** 45 }),
            isFirst: fc.boolean(),
            isLast: fc.boolean(),
            packets: fc.array(
              fc.oneof(
                fc.constantFrom(0, 254, 255, 256, 510, 511).map(packet),
                fc.uint8Array({ maxLength: 700 }),
              ),
              { maxLength: 12 },
            ),
          }),
          { maxLength: 4 },
        ),
        (pages) => {
          const read = readOggPages(Buffer.concat(pages.map(writeOggPage)));
          expect(
            read.map((each) => ({ ...each, packets: each.packets.map((p) => [...p]) })),
          ).toEqual(pages.map((each) => ({ ...each, packets: each.packets.map((p) => [...p]) })));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('notices every single damaged byte', () => {
    const bytes = writeOggPage(page({ granule: 960, packets: [packet(40)] }));
    for (let index = 0; index < bytes.length; index++) {
      const damaged = Uint8Array.from(bytes);
      damaged[index] = (damaged[index] as number) ^ 0x10;
      expect(() => readOggPages(damaged)).toThrow(RangeError);
    }
  });

  it('refuses pages that are cut short, and packets that go on', () => {
    const bytes = writeOggPage(page({ packets: [packet(40)] }));
    expect(() => readOggPages(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
    expect(() => readOggPages(bytes.subarray(0, 20))).toThrow(RangeError);
    const open = Uint8Array.from(writeOggPage(page({ packets: [packet(255)] })));
    open[26] = 1;
    expect(() => readOggPages(open)).toThrow(/goes on/);
  });
});
