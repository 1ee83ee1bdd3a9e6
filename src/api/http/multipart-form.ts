import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SpeechError } from '../../domain/errors.ts';
import type { UploadedFile } from '../../domain/uploaded-file.ts';
import { type SlowestRate, unlessTooSlow } from '../../service/uploads/slow-sender.ts';
import type { Upload, Uploads } from '../../service/uploads/uploads.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { readSpelled } from '../wire/spelled-values.ts';

/** What one form may bring. The fields of every form are bounded alike. */
export interface FormLimits {
  /** The field that carries files; those of other fields are ignored. */
  readonly fileField: string;
  readonly files: number;
  readonly fileBytes: number;
  /** Of all files together. */
  readonly totalBytes: number;
}

/** The media type of forms that carry files. */
export const FORM = 'multipart/form-data';

const MAX_FIELD_BYTES = 16 * 1024;
const MAX_PARTS = 100;
/** What a form has beside its files: fields, and the heads of all parts. */
const MAX_WRAPPING_BYTES = 256 * 1024;
/** A poor mobile connection does twice as well; less than this holds a place open on purpose. */
const SLOWEST: SlowestRate = { bytesPerS: 16 * 1024, windowMs: 5000 };

/** The uploads of requests that are not answered yet. */
const underWay = new WeakMap<FastifyRequest, Upload>();

/** Lets the routes of a scope take multipart forms (RFC 7578). */
export async function allowForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart);
  // Every request comes by here when its handler is done, whatever came of it, its caller gone or not.
  scope.addHook('onSend', async (request) => underWay.get(request)?.close());
}

/**
 * Reads a form into the request's body, for the route's schema to look at: fields as text, the last
 * of its name where it is repeated, and files as a list. Unknown fields stay. Files go to the disk as
 * they come, and can be read until the request is answered. To be called before validation, and after
 * the caller is known: nobody else may fill the disk.
 *
 * @throws SpeechError `invalid_input_message` for anything but a whole form, `message_too_big`,
 *   `client_too_slow`, `too_many_concurrent_requests`, `system_busy`, `insufficient_storage`.
 */
export async function readForm(
  request: FastifyRequest,
  accountId: string,
  uploads: Uploads,
  limits: FormLimits,
  slowest = SLOWEST,
): Promise<void> {
  if (!request.isMultipart()) {
    throw new SpeechError(
      'invalid_input_message',
      'Send this request as multipart/form-data, as a form with a file is sent.',
    );
  }
  const upload = await uploads.begin(accountId, announcedBytes(request, limits));
  underWay.set(request, upload);
  try {
    const form = await unlessTooSlow(request.raw, slowest, (signal) =>
      readParts(request, upload, limits, signal),
    );
    request.body = readSpelled(form, (request.routeOptions.schema?.body ?? {}) as JsonSchema);
  } catch (thrown) {
    stopReading(request);
    throw refusalOf(thrown, limits);
  }
}

/** @throws SpeechError `message_too_big` for a length that no allowed form has. */
function announcedBytes({ headers }: FastifyRequest, limits: FormLimits): number {
  const most = limits.totalBytes + MAX_WRAPPING_BYTES;
  const length = headers['content-length'];
  // A body that comes in chunks says nothing; it is cut where an allowed one would end.
  if (length === undefined) return most;
  if (Number(length) > most) throw tooMuch(limits);
  return Number(length);
}

async function readParts(
  request: FastifyRequest,
  upload: Upload,
  limits: FormLimits,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const fields = new Map<string, string>();
  const files: UploadedFile[] = [];
  const arrived = { totalBytes: 0 };
  for await (const part of request.parts({ limits: parserLimits(limits) })) {
    if (part.type === 'field') {
      fields.set(part.fieldname, textOf(part));
      continue;
    }
    const file = await upload.save(part.filename, contentOf(part, limits, arrived, signal));
    // An empty file input of a web page sends a file without a name and without content.
    const isEmpty = file.sizeBytes === 0 && part.filename === '';
    if (part.fieldname === limits.fileField && !isEmpty) files.push(file);
  }
  fields.delete(limits.fileField);
  const uploaded = files.length > 0 ? { [limits.fileField]: files } : {};
  return { ...Object.fromEntries(fields), ...uploaded };
}

async function* contentOf(
  { file }: MultipartFile,
  limits: FormLimits,
  arrived: { totalBytes: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stop = () => file.destroy(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    for await (const piece of file as AsyncIterable<Uint8Array>) {
      arrived.totalBytes += piece.length;
      if (arrived.totalBytes > limits.totalBytes) throw tooMuch(limits);
      yield piece;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (file.truncated) throw tooMuch(limits);
}
function parserLimits({ files, fileBytes }: FormLimits) {
  return {
    files,
    fileSize: fileBytes,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
    parts: MAX_PARTS,
    headerPairs: 20,
  };
}

/** A field that says it is JSON comes parsed; it is text like any other to us. */
function textOf(part: Extract<Multipart, { type: 'field' }>): string {
  if (part.valueTruncated || part.fieldnameTruncated) {
    throw new SpeechError(
      'message_too_big',
      `The field "${part.fieldname}" is longer than ${MAX_FIELD_BYTES / 1024} KiB.`,
      { param: part.fieldname },
    );
  }
  return typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
}

/** What is still to come is thrown away, so that the caller gets to read why. */
function stopReading({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

function refusalOf(thrown: unknown, limits: FormLimits): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooMuch(limits, thrown);
  if (code === 'FST_FILES_LIMIT') {
    return new SpeechError('invalid_input_message', `Send at most ${limits.files} files.`, {
      param: limits.fileField,
      cause: thrown,
    });
  }
  return new SpeechError(
    'invalid_input_message',
    'The form cannot be read: it is cut short, or not as RFC 7578 says.',
    { cause: thrown },
  );
}

function tooMuch({ fileField, fileBytes, totalBytes }: FormLimits, cause?: unknown): SpeechError {
  const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
  return new SpeechError(
    'message_too_big',
    `A file may have ${mebibytes(fileBytes)}, and all files of a request together ${mebibytes(totalBytes)}. Send less.`,
    { param: fileField, cause },
  );
}
