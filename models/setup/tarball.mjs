// @ts-check
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { ByteReader } from './byte-reader.mjs';

const BLOCK_BYTES = 512;
const MAX_EXTENDED_HEADER_BYTES = 2 ** 20;
const REGULAR_TYPES = new Set(['0', '\0', '7']);

/** @typedef {{ name: string, size: number }} Member */

/**
 * Streams one member of a `.tgz`, or a range of it. Member names are only ever compared, never used as
 * paths, and nothing else of the tarball touches the disk.
 *
 * Format: POSIX pax interchange (ustar blocks with `x` records), plus GNU long names.
 *
 * @param {string} file
 * @param {{ member: string, offset?: number | undefined, length?: number | undefined }} wanted
 * @returns {AsyncGenerator<Buffer>}
 * @throws {Error} when the archive is damaged, or has no such member or range.
 */
export async function* readMember(file, { member, offset = 0, length }) {
  for await (const { name, size, reader } of openMembers(file)) {
    if (name !== member) continue;
    const bytes = length ?? size - offset;
    if (bytes < 0 || offset + bytes > size) {
      throw new Error(`${member} has only ${size} bytes, fewer than the range asked for`);
    }
    await reader.skip(offset);
    yield* reader.stream(bytes);
    return;
  }
  throw new Error(`the tarball has no ${member}`);
}

/**
 * Streams several members of a `.tgz`, one right after the other, in a single pass.
 *
 * @param {string} file
 * @param {readonly string[]} members in the tarball's own order.
 * @returns {AsyncGenerator<Buffer>}
 * @throws {Error} when the archive is damaged, or lacks a member after those before it.
 */
export async function* readMembers(file, members) {
  const left = [...members];
  for await (const { name, size, reader } of openMembers(file)) {
    if (name !== left[0]) continue;
    yield* reader.stream(size);
    left.shift();
    if (left.length === 0) return;
  }
  throw new Error(`the tarball has no ${left[0]} in its place`);
}

/**
 * @param {string} file
 * @returns {AsyncGenerator<Member & { reader: ByteReader }>} each with the reader at its first byte.
 */
async function* openMembers(file) {
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error) => unzipped.destroy(error));
  try {
    const reader = new ByteReader(unzipped);
    for await (const header of memberHeaders(reader)) yield { ...header, reader };
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

/**
 * Yields the regular files' headers; each body is skipped unless the caller stops here and reads it.
 * @param {ByteReader} reader
 * @returns {AsyncGenerator<Member>}
 */
async function* memberHeaders(reader) {
  /** @type {Partial<Member>} */
  let extended = {};
  for (;;) {
    const block = await reader.exactly(BLOCK_BYTES);
    if (block === undefined || block.every((byte) => byte === 0)) return;
    const header = parseHeader(block);
    const { name, size } = { ...header, ...extended };
    if (header.type === 'x' || header.type === 'L') {
      extended = await readExtendedHeader(reader, header.type, size);
      continue;
    }
    const end = reader.position + padded(size);
    if (REGULAR_TYPES.has(header.type)) yield { name, size };
    await reader.skip(end - reader.position);
    extended = {};
  }
}

/**
 * What a header says about the member after it: pax records, or a GNU long name.
 * @param {ByteReader} reader
 * @param {'x' | 'L'} type
 * @param {number} size
 * @returns {Promise<Partial<Member>>}
 */
async function readExtendedHeader(reader, type, size) {
  if (size > MAX_EXTENDED_HEADER_BYTES) throw new Error('the tarball has an oversize header');
  const body = await reader.exactly(padded(size));
  if (body === undefined) throw new Error('the tarball ends too early');
  const content = body.subarray(0, size);
  return type === 'x' ? parsePax(content) : { name: textOf(content) };
}

/** @param {number} size */
function padded(size) {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}

/** @param {Buffer} block */
function parseHeader(block) {
  // The checksum counts its own field as spaces.
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK_BYTES; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  if (sum !== numberOf(block.subarray(148, 156))) throw new Error('the tarball is damaged');
  const isUstar = block.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? textOf(block.subarray(345, 500)) : '';
  const name = textOf(block.subarray(0, 100));
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: numberOf(block.subarray(124, 136)),
    type: String.fromCharCode(block[156] ?? 0),
  };
}

/**
 * Records of the form `<length> <key>=<value>\n`, the length counting the whole record in bytes.
 * @param {Buffer} body
 */
function parsePax(body) {
  /** @type {Partial<Member>} */
  const values = {};
  let at = 0;
  while (at < body.length) {
    const space = body.indexOf(0x20, at);
    const recordBytes = Number(body.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(recordBytes) || recordBytes <= 0) {
      throw new Error('the tarball has a damaged pax header');
    }
    const record = body.toString('utf8', space + 1, at + recordBytes - 1);
    const equals = record.indexOf('=');
    if (record.slice(0, equals) === 'path') values.name = record.slice(equals + 1);
    if (record.slice(0, equals) === 'size') values.size = Number(record.slice(equals + 1));
    at += recordBytes;
  }
  return values;
}

/** @param {Buffer} field */
function textOf(field) {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

/**
 * Octal text, or base 256 with the first bit set for what octal cannot hold.
 * @param {Buffer} field
 */
function numberOf(field) {
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(textOf(field).trim() || '0', 8);
  return [...field.subarray(1)].reduce((value, byte) => value * 256 + byte, (field[0] ?? 0) & 0x7f);
}
