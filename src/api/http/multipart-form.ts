import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SpeechError } from '../../domain/errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { readSpelled } from './spelled-values.ts';

/** What one form may bring. The fields of every form are bounded alike. */
export interface FormLimits {
  /** The field that carries files; those of other fields are ignored. */
  readonly fileField: string;
  readonly files: number;
  readonly fileBytes: number;
  /** Of all files together, since a form is held in memory until it has been read. */
  readonly totalBytes: number;
}

export interface UploadedFile {
  /** As the caller says; good for showing, never for a path. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** The media type of forms that carry files. */
export const FORM = 'multipart/form-data';

const MAX_FIELD_BYTES = 16 * 1024;
const MAX_PARTS = 100;

/** Lets the routes of a scope take multipart forms (RFC 7578). */
export async function allowForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart);
}

/**
 * Reads a form into the request's body, for the route's schema to look at: fields as text, the last
 * of its name where it is repeated, and files as a list. Unknown fields stay. To be called before
 * validation, and after the caller is known to have a key: nobody else may fill the memory.
 *
 * @throws SpeechError `invalid_input_message` for anything but a whole form, `message_too_big`.
 */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<void> {
  if (!request.isMultipart()) {
    throw new SpeechError(
      'invalid_input_message',
      'Send this request as multipart/form-data, as a form with a file is sent.',
    );
  }
  const fields = new Map<string, string>();
  const files: UploadedFile[] = [];
  try {
    let totalBytes = 0;
    for await (const part of request.parts({ limits: parserLimits(limits) })) {
      if (part.type === 'field') {
        fields.set(part.fieldname, textOf(part));
        continue;
      }
      const bytes = await part.toBuffer();
      totalBytes += bytes.length;
      if (totalBytes > limits.totalBytes) throw tooMuch(limits);
      // An empty file input of a web page sends a file without a name and without content.
      const isEmpty = bytes.length === 0 && part.filename === '';
      if (part.fieldname === limits.fileField && !isEmpty) {
        files.push({ fileName: part.filename, bytes });
      }
    }
  } catch (thrown) {
    stopReading(request);
    throw refusalOf(thrown, limits);
  }
  fields.delete(limits.fileField);
  const uploads = files.length > 0 ? { [limits.fileField]: files } : {};
  const form = { ...Object.fromEntries(fields), ...uploads };
  request.body = readSpelled(form, (request.routeOptions.schema?.body ?? {}) as JsonSchema);
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
