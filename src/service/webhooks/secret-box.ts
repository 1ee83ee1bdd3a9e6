import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVER_SECRET_FILE } from '../../domain/webhook.ts';

const OWNER_ONLY_DIR = 0o700;
const OWNER_ONLY_FILE = 0o600;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps what must be read again, such as signing secrets, unreadable in a copy of the database
 * alone. AES-256-GCM under a key from the server's secret file; what a text was sealed for (an id)
 * is authenticated with it, so that nobody who can write to the database can swap two of them.
 */
export class SecretBox {
  readonly #key: Buffer;

  /** @param serverSecret at least 32 random bytes. */
  constructor(serverSecret: Uint8Array) {
    const key = hkdfSync('sha256', serverSecret, '', 'sidetone webhook secrets', KEY_BYTES);
    this.#key = Buffer.from(key);
  }

  seal(text: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** @throws Error when the text was sealed with another secret, for another owner, or is damaged. */
  open(sealed: string, owner: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(-TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag);
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}

/** The server's secret cannot be used. The message says what to do about it. */
export class ServerSecretError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ServerSecretError';
  }
}

/**
 * The box of a data folder. Its secret file is made at the first start, readable by its owner only;
 * servers that share a database need the same file, and a backup without it cannot sign any more.
 *
 * @throws ServerSecretError that names the file when it cannot be read, or holds anything else.
 */
export async function openSecretBox(dataDir: string): Promise<SecretBox> {
  const path = join(dataDir, SERVER_SECRET_FILE);
  await makeSecretFile(dataDir, path);
  const text = (await readSecretFile(path)).trim();
  if (/^[0-9a-f]{64,}$/.test(text)) return new SecretBox(Buffer.from(text, 'hex'));
  throw new ServerSecretError(
    `${path} is damaged: it holds no server secret. Restore it from a backup; or remove it, and make all webhooks anew.`,
  );
}

async function readSecretFile(path: string): Promise<string> {
  try {
    await chmod(path, OWNER_ONLY_FILE);
    return await readFile(path, 'utf8');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ServerSecretError(
      `The server secret cannot be read: ${reason}. Make ${path} a file that the server's user owns.`,
      { cause: thrown },
    );
  }
}

/** Written whole beside its place, then linked there, which only the first of several processes can. */
async function makeSecretFile(dataDir: string, path: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY_DIR });
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', OWNER_ONLY_FILE);
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
    await file.sync();
    await link(draft, path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
