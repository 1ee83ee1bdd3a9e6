/** x³² + x²⁶ + … + 1, most significant bit first, as RFC 3533 §6 has it: not the one of zip files. */
const POLYNOMIAL = 0x04c1_1db7;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder < 0 ? (remainder << 1) ^ POLYNOMIAL : remainder << 1;
  }
  return remainder;
});

/** The checksum of an Ogg page whose own checksum field is zero. */
export function oggCrc(bytes: Uint8Array): number {
  let crc = 0;
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc << 8) ^ (TABLE[(crc >>> 24) ^ (bytes[index] as number)] as number);
  }
  return crc >>> 0;
}
