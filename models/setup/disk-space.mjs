// @ts-check
import { statfs } from 'node:fs/promises';
import { errorCode, SetupError } from './setup-error.mjs';

/**
 * Refuses early when a folder's disk cannot take `neededBytes` more.
 * @param {string} folder
 * @param {number} neededBytes
 * @throws {SetupError}
 */
export async function requireSpace(folder, neededBytes) {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < neededBytes) throw noSpace(folder, neededBytes, freeBytes);
}

/**
 * Turns a failed write into an error that names the remedy; other errors pass through unchanged.
 * @param {unknown} error
 * @param {string} folder
 * @param {number} neededBytes what is still to be written.
 * @returns {unknown}
 */
export function explainWriteError(error, folder, neededBytes) {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace(folder, neededBytes, undefined, error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new SetupError(`Cannot write to ${folder} (${code}). Make it writable for this user.`, {
      cause: error,
    });
  }
  return error;
}

/**
 * @param {string} folder
 * @param {number} neededBytes
 * @param {number} [freeBytes]
 * @param {unknown} [cause]
 */
function noSpace(folder, neededBytes, freeBytes, cause) {
  const free = freeBytes === undefined ? '' : `; ${inMebibytes(freeBytes)} are free`;
  return new SetupError(
    `No space left: ${inMebibytes(neededBytes)} are needed in ${folder}${free}. Free some space there and run the same command again; what was fetched so far is kept.`,
    { cause },
  );
}

/**
 * @param {number} bytes
 * @returns {string} such as `75.0 MiB`.
 */
export function inMebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
