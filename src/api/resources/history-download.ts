import { Readable } from 'node:stream';
import { Zip, ZipPassThrough } from 'fflate';
import { SpeechError } from '../../domain/errors.ts';
import type { HistoryItem } from '../../domain/history-item.ts';

/** The audio of kept generations. */
export interface AudioSource {
  openAudio(item: HistoryItem): Promise<Readable | undefined>;
}

/**
 * What goes before raw audio of an output format to make it a WAV file; undefined where that cannot be.
 * @param audioBytes of the audio that follows.
 */
export type WavHeader = (outputFormat: string, audioBytes: number) => Uint8Array | undefined;

/** A file that is sent to a caller. */
export interface DownloadFile {
  readonly name: string;
  readonly contentType: string;
  /** Bytes; known before the first is read. */
  readonly size: number;
  readonly madeAtMs: number;
  /** @throws SpeechError `not_found` when the audio was removed since. */
  open(): Promise<Readable>;
}

/** What ZIP without its 64-bit extension can say, and some room for the entries' headers. */
const MAX_ZIP_BYTES = 0xffff_ffff - 4 * 1024 * 1024;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/pcm': 'pcm',
  'audio/ulaw': 'ulaw',
  'audio/alaw': 'alaw',
};

/** The audio of an item, as it is. */
export function audioFile(item: HistoryItem, source: AudioSource): DownloadFile {
  return {
    name: `${stemOf(item)}.${EXTENSIONS[item.contentType] ?? 'bin'}`,
    contentType: item.contentType,
    size: item.audioBytes,
    madeAtMs: item.createdAtMs,
    open: async () => (await source.openAudio(item)) ?? fail(audioIsGone(item)),
  };
}

/**
 * The audio of an item as a WAV file.
 * @throws SpeechError `invalid_output_format` when it was kept in a compressed form.
 */
export function wavDownload(
  item: HistoryItem,
  source: AudioSource,
  wavHeader: WavHeader,
): DownloadFile {
  const kept = audioFile(item, source);
  if (item.contentType === 'audio/wav') return kept;
  const header = wavHeader(item.outputFormat, item.audioBytes) ?? fail(notForWav(item));
  const padding = new Uint8Array(item.audioBytes % 2);
  return {
    ...kept,
    name: `${stemOf(item)}.wav`,
    contentType: 'audio/wav',
    size: header.length + kept.size + padding.length,
    open: async () => {
      const audio = await kept.open();
      return Readable.from(joined([header], audio, [padding]), { objectMode: false });
    },
  };
}

/**
 * Files as one ZIP archive, read one after the other as the archive is.
 * @throws SpeechError `invalid_parameters` when they are too much for one archive.
 */
export function zipOf(files: readonly DownloadFile[]): Readable {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes > MAX_ZIP_BYTES) throw tooMuch();
  return Readable.from(zipPieces(files), { objectMode: false });
}

async function* zipPieces(files: readonly DownloadFile[]): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  for (const file of files) {
    const audio = await file.open();
    // Compressed audio does not shrink, and raw audio hardly.
    const entry = new ZipPassThrough(file.name);
    entry.mtime = file.madeAtMs;
    zip.add(entry);
    for await (const piece of audio) {
      entry.push(piece as Uint8Array);
      yield* pieces.splice(0);
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
  yield* pieces.splice(0);
}

async function* joined(
  ...parts: ReadonlyArray<Iterable<Uint8Array> | AsyncIterable<Uint8Array>>
): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* part;
}

/** Sorts by day, tells the voice, and is a safe name for a file on every system. */
function stemOf({ createdAtMs, voiceName, historyItemId }: HistoryItem): string {
  const day = new Date(createdAtMs).toISOString().slice(0, 10);
  const voice = voiceName.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40);
  return `${day}_${voice}_${historyItemId}`;
}

export function audioIsGone({ historyItemId }: HistoryItem): SpeechError {
  return new SpeechError('not_found', `The audio of "${historyItemId}" is not stored any more.`, {
    param: 'history_item_id',
  });
}

function notForWav({ historyItemId, outputFormat }: HistoryItem): SpeechError {
  return new SpeechError(
    'invalid_output_format',
    `"${historyItemId}" was kept as ${outputFormat}, which does not go into a WAV file. Ask for output_format "default".`,
    { param: 'output_format' },
  );
}

function tooMuch(): SpeechError {
  return new SpeechError(
    'invalid_parameters',
    'This is more than 4 GiB of audio, which is too much for one archive. Ask for fewer items at once.',
    { param: 'history_item_ids' },
  );
}

function fail(error: SpeechError): never {
  throw error;
}
