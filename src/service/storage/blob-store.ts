import type { Readable } from 'node:stream';
import type { ByteRange } from '../../domain/byte-range.ts';

/**
 * Files too big for a database: audio, uploads. A key is a space and a name, such as
 * `history/0mk3…`: lower-case letters and digits, then letters, digits, `-` and `_`.
 * Every method throws StorageError for a malformed key, and the system's own error or a StorageError
 * when the store fails.
 */
export interface BlobStore {
  /**
   * Stores content whole or not at all, and replaces what was there; it outlives a power cut once
   * this resolves. When the content itself throws, nothing is stored and the same error is thrown.
   *
   * @returns bytes stored.
   */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** @param range must lie within the blob. @returns undefined when there is no such blob. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** In bytes; undefined when there is no such blob. */
  size(key: string): Promise<number | undefined>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
  /** Clears away what interrupted writes have left since before a time. */
  discardUnfinished(beforeMs: number): Promise<void>;
}
