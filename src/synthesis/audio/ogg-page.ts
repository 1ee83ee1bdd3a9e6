import { oggCrc } from './ogg-crc.ts';

const HEADER_BYTES = 27;
const CHECKSUM_AT = 22;
/** A page's table of lengths has at most as many entries, each of at most as many bytes. */
const MAX_SEGMENTS = 255;
const SEGMENT_BYTES = 255;
const CONTINUED = 1;
const FIRST = 2;
const LAST = 4;

/** A page of one logical stream (RFC 3533 §6). No packet goes on over its end. */
export interface OggPage {
  readonly serial: number;
  /** Counts the pages of the stream from 0. */
  readonly sequence: number;
  /** Where the stream is after the page's last packet; what it counts is the codec's matter. */
  readonly granule: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly packets: readonly Uint8Array[];
}

/** How many entries of a page's table a packet of so many bytes takes; a page has 255 of them. */
export function segmentsOf(packetBytes: number): number {
  return Math.floor(packetBytes / SEGMENT_BYTES) + 1;
}

/** Whether packets fit into one page. */
export function fitsPage(packets: readonly Uint8Array[]): boolean {
  return packets.reduce((sum, { length }) => sum + segmentsOf(length), 0) <= MAX_SEGMENTS;
}

/** @throws RangeError when the packets do not fit. */
export function writeOggPage(page: OggPage): Uint8Array {
  if (!fitsPage(page.packets)) throw new RangeError('An Ogg page has room for 255 segments.');
  const lengths = page.packets.flatMap(({ length }) => [
    ...Array<number>(segmentsOf(length) - 1).fill(SEGMENT_BYTES),
    length % SEGMENT_BYTES,
  ]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('OggS', 'latin1');
  header[5] = (page.isFirst ? FIRST : 0) | (page.isLast ? LAST : 0);
  header.writeBigInt64LE(BigInt(page.granule), 6);
  header.writeUInt32LE(page.serial, 14);
  header.writeUInt32LE(page.sequence, 18);
  header[26] = lengths.length;
  const bytes = Buffer.concat([header, Uint8Array.from(lengths), ...page.packets]);
  bytes.writeUInt32LE(oggCrc(bytes), CHECKSUM_AT);
  return bytes;
}

/**
 * Reads the pages of a physical stream, as far as this program writes them.
 * @throws RangeError where no page begins, one is damaged, or a packet goes on over a page's end.
 */
export function readOggPages(encoded: Uint8Array): OggPage[] {
  const pages: OggPage[] = [];
  for (let start = 0; start < encoded.length; ) {
    const { page, bytes } = readPage(encoded.subarray(start));
    pages.push(page);
    start += bytes;
  }
  return pages;
}

function readPage(encoded: Uint8Array): { page: OggPage; bytes: number } {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length);
  const segments = bytes[HEADER_BYTES - 1] ?? 0;
  const lengths = bytes.subarray(HEADER_BYTES, HEADER_BYTES + segments);
  const size = HEADER_BYTES + segments + lengths.reduce((sum, length) => sum + length, 0);
  const flags = bytes[5] ?? 0;
  if (bytes.toString('latin1', 0, 4) !== 'OggS' || bytes.length < size) {
    throw new RangeError('No whole Ogg page begins here.');
  }
  if (flags & CONTINUED || lengths.at(-1) === SEGMENT_BYTES) {
    throw new RangeError('A packet goes on over the end of its Ogg page.');
  }
  const unsigned = Buffer.from(bytes.subarray(0, size));
  unsigned.writeUInt32LE(0, CHECKSUM_AT);
  if (oggCrc(unsigned) !== bytes.readUInt32LE(CHECKSUM_AT)) {
    throw new RangeError('An Ogg page does not match its checksum.');
  }
  const page = {
    serial: bytes.readUInt32LE(14),
    sequence: bytes.readUInt32LE(18),
    granule: Number(bytes.readBigInt64LE(6)),
    isFirst: (flags & FIRST) !== 0,
    isLast: (flags & LAST) !== 0,
    packets: readPackets(lengths, bytes.subarray(HEADER_BYTES + segments, size)),
  };
  return { page, bytes: size };
}

function readPackets(lengths: Uint8Array, body: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let start = 0;
  let end = 0;
  for (const length of lengths) {
    end += length;
    if (length === SEGMENT_BYTES) continue;
    packets.push(body.subarray(start, end));
    start = end;
  }
  return packets;
}
