import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { WrittenSecret } from './line-schemas.ts';

/** Longest secret that is taken: a chain of certificates by mistake, never a token or a key. */
const MAX_SECRET_LENGTH = 16_384;

/**
 * @param folder from which a relative path counts.
 * @returns the secret itself; the line break at the end of a file is not part of it.
 * @throws Error that completes "{field} …" and does not repeat the secret.
 */
export async function openSecret(written: WrittenSecret, folder: string): Promise<string> {
  if (typeof written === 'string') return written;
  const secret = (await readSecretFile(resolve(folder, written.file))).trim();
  if (secret === '') throw new Error('names a file that is empty.');
  if (secret.length > MAX_SECRET_LENGTH) throw new Error('names a file that is too long.');
  return secret;
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new Error(`names a file that cannot be read (${code}): ${path}.`);
  }
}
