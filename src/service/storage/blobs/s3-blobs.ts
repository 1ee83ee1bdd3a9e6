import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { ByteRange } from '../../../domain/byte-range.ts';
import type { BlobStore } from '../blob-store.ts';
import { StorageError } from '../storage.ts';
import { parseBlobKey } from './blob-key.ts';
import type { S3Location } from './s3-location.ts';
import { Spool } from './spool.ts';

/** Of requests that the store answered with 429 or 5xx, with growing pauses: about a second in all. */
const RETRIES = 4;

/**
 * Blobs as objects of an S3-compatible store. Content is spooled to the local disk first: the protocol
 * wants its length and its hash before the first byte, and a retry wants it again.
 */
export class S3Blobs implements BlobStore {
  readonly #baseUrl: string;
  readonly #client: AwsClient;
  readonly #spool: Spool;

  /** @param spoolFolder made when the first blob comes. */
  constructor({ baseUrl, ...credentials }: S3Location, spoolFolder: string) {
    this.#baseUrl = baseUrl;
    this.#client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES });
    this.#spool = new Spool(spoolFolder);
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    parseBlobKey(key);
    const { path, bytes, sha256 } = await this.#spool.write(content);
    try {
      await this.#request('PUT', key, {
        // The store compares the hash with what it received, and refuses damaged content.
        headers: { 'x-amz-content-sha256': sha256, 'content-type': 'application/octet-stream' },
        body: await openAsBlob(path),
      });
    } finally {
      await rm(path, { force: true });
    }
    return bytes;
  }

  async get(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    const response = await this.#request('GET', key, headers && { headers });
    return response?.body ? Readable.fromWeb(response.body as ReadableStream) : undefined;
  }

  async size(key: string): Promise<number | undefined> {
    const response = await this.#request('HEAD', key);
    return response && Number(response.headers.get('content-length'));
  }

  async delete(key: string): Promise<void> {
    await this.#request('DELETE', key);
  }

  discardUnfinished(beforeMs: number): Promise<void> {
    return this.#spool.discardBefore(beforeMs);
  }

  /** @returns undefined when there is no such object. */
  async #request(method: string, key: string, more?: RequestInit): Promise<Response | undefined> {
    const { space, name } = parseBlobKey(key);
    const url = `${this.#baseUrl}${space}/${name}`;
    const response = await this.#client.fetch(url, { method, ...more }).catch((thrown: Error) => {
      const reason = thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
      throw new StorageError(`The S3 store cannot be reached at ${url}: ${reason}.`, {
        cause: thrown,
      });
    });
    if (response.ok) return response;
    const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
    if (response.status === 404 && code !== 'NoSuchBucket') return undefined;
    throw new StorageError(
      `The S3 store refused ${method} ${url}: ${response.status} ${code ?? response.statusText}.`,
    );
  }
}
