import { beforeAll, describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS, parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { opus, prepareOpus } from '../../../../src/synthesis/audio/codecs/opus.ts';
import { countOggOpusSamples, OggOpusWriter } from '../../../../src/synthesis/audio/ogg-opus.ts';
import { readOggPages, writeOggPage } from '../../../../src/synthesis/audio/ogg-page.ts';
import { decodeOggOpus } from '../../../contract/codec-decoders.ts';

const FORMATS = OUTPUT_FORMATS.filter(({ codec }) => codec === 'opus');
const standard = parseOutputFormat('opus_48000_64');
const PRE_SKIP = 312;

beforeAll(prepareOpus);

/** A voice's harmonics all the way up: work for every bitrate. */
function buzz(samples: number, pitch = 120): Float32Array {
  return Float32Array.from({ length: samples }, (_, index) => {
    const phase = (2 * Math.PI * pitch * index) / 48000;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 30; harmonic++) sum += Math.sin(harmonic * phase) / harmonic;
    return 0.4 * sum;
  });
}

function pieces(samples: Float32Array, blockSamples = 4800, format = standard): Uint8Array[] {
  const encoder = opus.open(format);
  const encoded: Uint8Array[] = [];
  for (let start = 0; start < samples.length; start += blockSamples) {
    encoded.push(encoder.encode(samples.subarray(start, start + blockSamples)));
  }
  return [...encoded, encoder.flush()];
}

describe('opus', () => {
  it('begins with the two headers of RFC 7845 §5, each on a page of its own', () => {
    const [head, tags, audio] = readOggPages(Buffer.concat(pieces(buzz(9600))));
    expect(head).toMatchObject({ isFirst: true, isLast: false, granule: 0, sequence: 0 });
    expect(Buffer.from(head?.packets[0] ?? []).toString('hex')).toBe(
      '4f70757348656164' + '01' + '01' + '3801' + '80bb0000' + '0000' + '00',
    );
    expect(tags).toMatchObject({ isFirst: false, granule: 0, sequence: 1 });
    expect(Buffer.from(tags?.packets[0] ?? []).toString('latin1')).toBe(
      'OpusTags\x08\0\0\0Sidetone\0\0\0\0',
    );
    expect(audio?.sequence).toBe(2);
  });

  it.each([1, 647, 648, 649, 959, 960, 961, 48_000])(
    'plays %i samples for as many, with its end trimmed',
    async (samples) => {
      const bytes = Buffer.concat(pieces(buzz(samples)));
      const pages = readOggPages(bytes);
      expect(pages.at(-1)).toMatchObject({ isLast: true, granule: samples + PRE_SKIP });
      expect(pages.filter(({ isLast }) => isLast)).toHaveLength(1);
      expect(pages.at(-1)?.packets.length).toBeGreaterThan(0);
      expect(countOggOpusSamples(bytes)).toBe(samples);
      expect(await decodeOggOpus(bytes)).toHaveLength(samples);
      // Not a packet more than the last sample needs.
      const packets = pages.slice(2).flatMap((page) => page.packets);
      expect(packets).toHaveLength(Math.ceil((samples + PRE_SKIP) / 960));
    },
  );

  it('counts every page and every sample in it', () => {
    const pages = readOggPages(Buffer.concat(pieces(buzz(48_000), 3000)));
    expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index));
    expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
    let granule = 0;
    for (const page of pages.slice(2, -1)) {
      granule += 960 * page.packets.length;
      expect(page.granule).toBe(granule);
    }
  });

  it('hands out whole pages only, each with what is ready', () => {
    const encoded = pieces(buzz(48_000), 4800);
    const counts = encoded.map((piece) => readOggPages(piece).flatMap(({ packets }) => packets));
    expect(counts.map(({ length }) => length)).toEqual([7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1]);
  });

  it('puts no more than a second on a page, and none that it cannot hold', () => {
    const long = readOggPages(Buffer.concat(pieces(buzz(3 * 48_000), 3 * 48_000)));
    expect(Math.max(...long.map(({ packets }) => packets.length))).toBe(50);
    const writer = new OggOpusWriter(960, PRE_SKIP);
    const large = Array.from({ length: 50 }, () => new Uint8Array(1275));
    const pages = readOggPages(writer.end(large, 48_000));
    expect(pages.slice(2).map(({ packets }) => packets.length)).toEqual([42, 8]);
    expect(pages.map(({ isLast }) => isLast)).toEqual([false, false, false, true]);
  });

  it.each(FORMATS)('spends about the bitrate of $name', (format) => {
    const bytes = Buffer.concat(pieces(buzz(96_000), 9600, format));
    const packets = readOggPages(bytes)
      .slice(2)
      .flatMap((page) => page.packets);
    const packetBits = packets.reduce((sum, { length }) => sum + 8 * length, 0) / packets.length;
    // A steady sound needs less than its share where Opus predicts it as speech.
    expect(packetBits / 0.02 / format.bitsPerSecond).toBeGreaterThan(0.7);
    expect(packetBits / 0.02 / format.bitsPerSecond).toBeLessThan(1.15);
  });

  it('follows one stream with another under another serial number', () => {
    const [first, second] = [buzz(20_000, 120), buzz(30_000, 170)].map((samples) =>
      Buffer.concat(pieces(samples)),
    ) as [Buffer, Buffer];
    const serials = readOggPages(Buffer.concat([first, second])).map(({ serial }) => serial);
    expect(new Set(serials).size).toBe(2);
    expect(countOggOpusSamples(Buffer.concat([first, second]))).toBe(50_000);
  });

  it('refuses to begin more streams in one go than encoders are ready, and has new ones at once', async () => {
    const open: ReturnType<typeof opus.open>[] = [];
    expect(() => {
      for (let index = 0; index < 1000; index++) open.push(opus.open(standard));
    }).toThrow(SpeechError);
    expect(open.length).toBeGreaterThanOrEqual(32);
    await prepareOpus();
    const another = opus.open(standard);
    for (const encoder of [another, ...open]) encoder.close();
  });

  it('gives memory back', async () => {
    for (let index = 0; index < 3000; index++) {
      const encoder = opus.open(standard);
      encoder.encode(new Float32Array(960));
      encoder.close();
      await Promise.resolve();
      if (index % 16 === 0) await prepareOpus();
    }
    expect(Buffer.concat(pieces(buzz(960))).length).toBeGreaterThan(0);
  });
});

describe('countOggOpusSamples', () => {
  it('refuses another codec in Ogg', () => {
    const page = { serial: 1, sequence: 0, granule: 0, isFirst: true, isLast: true };
    const vorbis = writeOggPage({ ...page, packets: [Buffer.from('\x01vorbis and some more')] });
    expect(() => countOggOpusSamples(vorbis)).toThrow(/not Opus/);
    const empty = writeOggPage({ ...page, packets: [] });
    expect(() => countOggOpusSamples(empty)).toThrow(RangeError);
  });
});
