import type { UploadedFile } from '../../domain/uploaded-file.ts';
import type { TemporaryFile, TemporaryFiles } from './temporary-files.ts';
import type { UploadLimiter } from './upload-limiter.ts';

/** Knows how much of the disk is free. */
export interface FreeSpace {
  /** @throws SpeechError `insufficient_storage` when so many bytes more would reach into the reserve. */
  assertRoomFor(bytes: number): Promise<void>;
}

export interface UploadsOptions {
  readonly limiter: UploadLimiter;
  readonly files: TemporaryFiles;
  readonly freeSpace: FreeSpace;
}

/** Takes files to the disk on their way in. */
export class Uploads {
  readonly #options: UploadsOptions;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /**
   * Lets an upload begin, before any of it is read.
   *
   * @param bytes the most that will come.
   * @throws SpeechError `too_many_concurrent_requests`, `system_busy`, `insufficient_storage`.
   */
  async begin(accountId: string, bytes: number): Promise<Upload> {
    const { limiter, files, freeSpace } = this.#options;
    const release = limiter.admit(accountId, bytes);
    try {
      await freeSpace.assertRoomFor(bytes);
      return new Upload(files, release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }
}

/** The files of one request. */
export class Upload {
  readonly #files: TemporaryFiles;
  readonly #release: () => void;
  readonly #open: TemporaryFile[] = [];
  #isClosed = false;

  constructor(files: TemporaryFiles, release: () => void) {
    this.#files = files;
    this.#release = release;
  }

  /**
   * @returns a file that can be read until the upload is closed.
   * @throws what the content throws.
   */
  async save(fileName: string, content: AsyncIterable<Uint8Array>): Promise<UploadedFile> {
    const file = await this.#files.write(content);
    if (this.#isClosed) await file.close();
    this.#open.push(file);
    return {
      fileName,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      read: (position, lengthBytes) => file.read(position, lengthBytes),
    };
  }

  /** Removes the files and makes room for other uploads. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await Promise.all(this.#open.map((file) => file.close()));
    } finally {
      this.#release();
    }
  }
}
