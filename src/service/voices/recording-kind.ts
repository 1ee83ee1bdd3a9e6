/** What a file begins with, from an offset, and what it then is. */
const SIGNATURES: ReadonlyArray<readonly [offset: number, bytes: string, kind: string]> = [
  [8, 'WAVE', 'WAV'],
  [0, 'ID3', 'MP3'],
  [0, 'fLaC', 'FLAC'],
  [0, 'OggS', 'Ogg'],
  [4, 'ftyp', 'MP4'],
  [0, '\x1a\x45\xdf\xa3', 'WebM'],
  [0, 'FORM', 'AIFF'],
  [0, '#!AMR', 'AMR'],
  [0, 'PK\x03\x04', 'ZIP'],
  [0, '\x1f\x8b', 'gzip'],
  [0, '\xff\xfb', 'MP3'],
  [0, '\xff\xf3', 'MP3'],
  [0, '\xff\xf2', 'MP3'],
  [0, '\xff\xf1', 'AAC'],
];

/**
 * What a file is, told by how it begins, whatever its name or its sender say.
 *
 * @returns such as `WAV` or `MP3`; undefined for what is in no row of the table.
 */
export function recordingKind(file: Uint8Array): string | undefined {
  const head = Buffer.from(file.subarray(0, 16)).toString('latin1');
  const row = SIGNATURES.find(([offset, bytes]) => head.startsWith(bytes, offset));
  if (row?.[2] === 'WAV' && !head.startsWith('RIFF')) return undefined;
  return row?.[2];
}
