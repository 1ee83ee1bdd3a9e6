import { oggCrc } from './ogg-crc.ts';
import { fitsPage, type OggPage, readOggPages, writeOggPage } from './ogg-page.ts';

/** RFC 7845 §3 wants a second of audio or less to a page, so that seeking finds its way. */
const MAX_PAGE_PACKETS = 50;
const HEAD_MAGIC = 'OpusHead';
const HEAD_BYTES = 19;
const PRE_SKIP_AT = 10;
const VENDOR = 'Sidetone';

/** Wraps the packets of one mono utterance into an Ogg Opus stream (RFC 7845), page by page. */
export class OggOpusWriter {
  readonly #packetSamples: number;
  readonly #preSkipSamples: number;
  #serial: number | undefined;
  #sequence = 0;
  #granule = 0;

  /**
   * @param packetSamples that each packet lasts, at 48 kHz.
   * @param preSkipSamples that a player drops at the start, because the encoder was late by as much.
   */
  constructor(packetSamples: number, preSkipSamples: number) {
    this.#packetSamples = packetSamples;
    this.#preSkipSamples = preSkipSamples;
  }

  /** Packets written so far, in samples that a player makes of them. */
  get playedSamples(): number {
    return Math.max(0, this.#granule - this.#preSkipSamples);
  }

  /** @returns whole pages, the stream's two headers first. */
  write(packets: readonly Uint8Array[]): Uint8Array {
    return Buffer.concat(this.#pages(packets, undefined));
  }

  /**
   * Ends the stream.
   * @param packets the last ones, at least one.
   * @param playedSamples how long the utterance is; what the last packet has beyond is trimmed off.
   */
  end(packets: readonly Uint8Array[], playedSamples: number): Uint8Array {
    return Buffer.concat(this.#pages(packets, playedSamples + this.#preSkipSamples));
  }

  #pages(packets: readonly Uint8Array[], endGranule: number | undefined): Uint8Array[] {
    const [first] = packets;
    if (!first) return [];
    const pages = this.#serial === undefined ? this.#begin(first) : [];
    const batches = batchesOf(packets);
    for (const [index, batch] of batches.entries()) {
      this.#granule += batch.length * this.#packetSamples;
      const isLast = endGranule !== undefined && index === batches.length - 1;
      if (isLast) this.#granule = endGranule;
      pages.push(this.#page({ packets: batch, isLast }));
    }
    return pages;
  }

  /**
   * Streams that follow one another need serial numbers of their own (RFC 3533 §4). Taking it from
   * the audio lets a seed repeat its bytes, which a random number would not.
   */
  #begin(firstPacket: Uint8Array): Uint8Array[] {
    this.#serial = oggCrc(firstPacket);
    const head = this.#page({ packets: [this.#head()], isFirst: true });
    return [head, this.#page({ packets: [tags()] })];
  }

  #page(page: Partial<OggPage>): Uint8Array {
    return writeOggPage({
      serial: this.#serial ?? 0,
      sequence: this.#sequence++,
      granule: this.#granule,
      isFirst: false,
      isLast: false,
      packets: [],
      ...page,
    });
  }

  /** RFC 7845 §5.1: version 1, one channel, no gain, channel mapping family 0. */
  #head(): Uint8Array {
    const head = Buffer.alloc(HEAD_BYTES);
    head.write(`${HEAD_MAGIC}\x01\x01`, 'latin1');
    head.writeUInt16LE(this.#preSkipSamples, PRE_SKIP_AT);
    head.writeUInt32LE(48_000, 12);
    return head;
  }
}

/**
 * Samples at 48 kHz that a player makes of one Ogg Opus stream, or of several one after another:
 * pre-skip and trimmed end do not count (RFC 7845 §4).
 * @throws RangeError when it is something else.
 */
export function countOggOpusSamples(encoded: Uint8Array): number {
  let total = 0;
  let preSkip = 0;
  let granule = 0;
  for (const page of readOggPages(encoded)) {
    if (page.isFirst) {
      total += Math.max(0, granule - preSkip);
      preSkip = readPreSkip(page.packets[0]);
    }
    granule = page.granule;
  }
  return total + Math.max(0, granule - preSkip);
}

function readPreSkip(head: Uint8Array | undefined): number {
  const bytes = Buffer.from(head ?? []);
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, 8) !== HEAD_MAGIC) {
    throw new RangeError('This Ogg stream is not Opus.');
  }
  return bytes.readUInt16LE(PRE_SKIP_AT);
}

/** RFC 7845 §5.2: who made it, and no comments. */
function tags(): Uint8Array {
  const packet = Buffer.alloc(8 + 4 + VENDOR.length + 4);
  packet.write('OpusTags', 'latin1');
  packet.writeUInt32LE(VENDOR.length, 8);
  packet.write(VENDOR, 12, 'latin1');
  return packet;
}

function batchesOf(packets: readonly Uint8Array[]): Uint8Array[][] {
  const batches: Uint8Array[][] = [];
  let batch: Uint8Array[] = [];
  for (const packet of packets) {
    if (batch.length === MAX_PAGE_PACKETS || !fitsPage([...batch, packet])) {
      batches.push(batch);
      batch = [];
    }
    batch.push(packet);
  }
  return [...batches, batch];
}
