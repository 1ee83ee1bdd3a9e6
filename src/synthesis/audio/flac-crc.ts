/** x⁸ + x² + x + 1, of a frame's header (RFC 9639 §9.1.8). */
const CRC8 = { width: 8, table: crcTable(0x07, 8) };
/** x¹⁶ + x¹⁵ + x² + 1, of a whole frame (§9.3). */
const CRC16 = { width: 16, table: crcTable(0x8005, 16) };

export function flacCrc8(bytes: Uint8Array): number {
  return crc(bytes, CRC8);
}

/** @returns 0 for a frame that ends with its own checksum. */
export function flacCrc16(bytes: Uint8Array): number {
  return crc(bytes, CRC16);
}

function crc(bytes: Uint8Array, { width, table }: typeof CRC8): number {
  const mask = 2 ** width - 1;
  let remainder = 0;
  for (const byte of bytes) {
    const index = (remainder >> (width - 8)) ^ byte;
    remainder = ((remainder << 8) ^ (table[index] as number)) & mask;
  }
  return remainder;
}

/** Most significant bit first. */
function crcTable(polynomial: number, width: number): Uint16Array {
  const top = 1 << (width - 1);
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder & top ? (remainder << 1) ^ polynomial : remainder << 1;
    }
    return remainder;
  });
}
