// @ts-check
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { explainWriteError, requireSpace } from './disk-space.mjs';
import { get, HttpStatusError } from './request.mjs';
import { withRetries } from './retry.mjs';

/**
 * @typedef {object} Download
 * @property {URL} url
 * @property {string} part Where the bytes go; kept after a failure, so that a later run resumes.
 * @property {import('./request.mjs').Network} network
 * @property {number} [reserveBytes] Space wanted beside the download itself.
 * @property {(receivedBytes: number, totalBytes: number | undefined) => void} onProgress
 * @property {number | undefined} [firstPauseMs] Before the first retry; doubles from there.
 */

/**
 * Downloads to a file, resuming what an earlier run left (RFC 9110 §14: Range, If-Range). When the server
 * ignores ranges or the file changed there, it starts again from nothing. Passing failures are retried a
 * bounded number of times.
 *
 * @param {Download} request
 * @returns {Promise<{ resumed: boolean }>} whether bytes of an earlier attempt are part of the file.
 * @throws {SetupError} without space; otherwise what the last attempt met.
 */
export async function download(request) {
  const progress = () => sizeOf(request.part);
  return withRetries(() => receive(request), {
    firstPauseMs: request.firstPauseMs,
    progress,
  });
}

/**
 * Forgets a download, so that the next one starts from nothing.
 * @param {string} part
 */
export async function discard(part) {
  await rm(part, { force: true });
  await rm(validatorFile(part), { force: true });
}

/** @param {Download} request */
async function receive(request) {
  const { url, part, network } = request;
  const resume = await resumePoint(request);
  const response = await get(url, resume?.headers ?? {}, network).catch(async (error) => {
    if (resume && error instanceof HttpStatusError && error.status === 416) {
      const total = /\*\/(\d+)$/.exec(error.headers['content-range'] ?? '')?.[1];
      if (Number(total) === resume.offset) return undefined;
      await discard(part);
      throw entityChanged(url);
    }
    throw error;
  });
  if (response === undefined) return { resumed: true };
  const { offset, total } = await extentOf(response, resume, request);
  await requireSpace(path.dirname(part), (total ?? 0) - offset + (request.reserveBytes ?? 0)).catch(
    (error) => {
      response.destroy();
      throw error;
    },
  );
  if (offset === 0) await rememberValidator(part, url, response.headers);
  await save(response, offset, total, request);
  return { resumed: offset > 0 };
}

/**
 * Which bytes a response carries.
 * @param {import('node:http').IncomingMessage} response
 * @param {{ offset: number } | undefined} resume
 * @param {Download} request
 * @returns {Promise<{ offset: number, total: number | undefined }>}
 */
async function extentOf(response, resume, { url, part }) {
  if (response.statusCode === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers['content-range'] ?? '');
    if (resume && range && Number(range[1]) === resume.offset) {
      return { offset: resume.offset, total: Number(range[2]) };
    }
    response.destroy();
    await discard(part);
    throw entityChanged(url);
  }
  const length = response.headers['content-length'];
  return {
    offset: 0,
    total: length === undefined ? undefined : Number(length),
  };
}

/**
 * @param {import('node:http').IncomingMessage} response
 * @param {number} offset
 * @param {number | undefined} total
 * @param {Download} request
 */
async function save(response, offset, total, { part, reserveBytes = 0, onProgress, url }) {
  const folder = path.dirname(part);
  const neededBytes = (total ?? offset) - offset + reserveBytes;
  let received = offset;
  try {
    await pipeline(
      response,
      async function* (/** @type {AsyncIterable<Buffer>} */ chunks) {
        for await (const chunk of chunks) {
          received += chunk.length;
          onProgress(received, total);
          yield chunk;
        }
      },
      createWriteStream(part, { flags: 'a' }),
    );
  } catch (error) {
    response.destroy();
    throw explainWriteError(error, folder, neededBytes);
  }
  if (total !== undefined && received !== total) {
    const message = `${url.host} closed the connection after ${received} of ${total} bytes`;
    throw Object.assign(new Error(message), { code: 'ECONNRESET' });
  }
}

/**
 * What an earlier attempt left, if it is safe to go on from there: the server compares the validator, or,
 * where it gave none, the caller compares the hash.
 * @param {Download} request
 * @returns {Promise<{ offset: number, headers: import('./request.mjs').Headers } | undefined>}
 */
async function resumePoint({ part, url }) {
  const offset = await sizeOf(part);
  if (offset === 0) return undefined;
  try {
    const saved = JSON.parse(await readFile(validatorFile(part), 'utf8'));
    const range = `bytes=${offset}-`;
    if (saved.url !== url.href) return undefined;
    if (saved.validator) return { offset, headers: { range, 'if-range': saved.validator } };
    return { offset, headers: { range } };
  } catch {
    // Nobody knows where these bytes came from.
    return undefined;
  }
}

/**
 * @param {string} part
 * @param {URL} url
 * @param {import('node:http').IncomingHttpHeaders} headers
 */
async function rememberValidator(part, url, headers) {
  const { etag, 'last-modified': lastModified } = headers;
  // A weak ETag may not be used with If-Range (RFC 9110 §13.1.5).
  const validator = etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
  // In this order, a crash at any moment leaves no old bytes under a new validator.
  await rm(validatorFile(part), { force: true });
  await writeFile(part, '');
  await writeFile(validatorFile(part), JSON.stringify({ url: url.href, validator }));
}

/** @param {string} part */
function validatorFile(part) {
  return `${part}.json`;
}

/** @param {string} file */
async function sizeOf(file) {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** @param {URL} url */
function entityChanged(url) {
  const error = new Error(`the file at ${url.host} changed while it was fetched`);
  return Object.assign(error, { code: 'ERR_ENTITY_CHANGED' });
}
