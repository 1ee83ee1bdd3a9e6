import type { ErrorCode, SpeechError } from '../../domain/errors.ts';
import type { JsonSchema } from './json-schema.ts';

/** How a vendor's wire tells of errors over HTTP, where it does not do so as the first wire. */
export interface ErrorShape {
  /** Of the body, for the documents. */
  readonly reply: JsonSchema;
  readonly statusOf: (code: ErrorCode) => number;
  /** What the body calls an error. */
  readonly nameOf: (code: ErrorCode) => string;
  readonly write: (error: SpeechError, requestId: string) => object;
  /** Besides those that every response has. */
  readonly headers?: (error: SpeechError, requestId: string) => Readonly<Record<string, string>>;
}
