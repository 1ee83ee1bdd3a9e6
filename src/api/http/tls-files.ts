import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

/** How often files are looked at; certificates are renewed weeks before they end. */
const LOOK_INTERVAL_MS = 10_000;

export interface TlsPaths {
  /** PEM: the certificate, and behind it those that vouch for it. */
  readonly cert: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

export interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface TlsFilesOptions {
  readonly paths: TlsPaths;
  /** Called with each renewed pair. */
  readonly onRenewed: (pair: TlsPair) => void;
  /** Called when changed files cannot be used; the pair in use stays. */
  readonly onSpoiled: (error: TlsFilesError) => void;
}

/** A certificate or a key that cannot be used; the message says which, and what to do. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError';
}

/** @throws TlsFilesError when a file cannot be read, is no PEM, or the two do not belong together. */
export async function readTlsPair(paths: TlsPaths): Promise<TlsPair> {
  const cert = await readSetting('SIDETONE_TLS_CERT', paths.cert);
  const key = await readSetting('SIDETONE_TLS_KEY', paths.key);
  const certificate = orRefuse(
    () => new X509Certificate(cert),
    `SIDETONE_TLS_CERT: ${paths.cert} holds no certificate in PEM, which begins with "-----BEGIN CERTIFICATE-----".`,
  );
  orRefuse(
    () => createSecureContext({ key }),
    `SIDETONE_TLS_KEY: ${paths.key} holds no private key in PEM without a passphrase.`,
  );
  orRefuse(
    () => createSecureContext({ cert, key }),
    `SIDETONE_TLS_KEY: the key in ${paths.key} does not belong to the certificate in ${paths.cert}.`,
  );
  if (Date.parse(certificate.validTo) > Date.now()) return { cert, key };
  throw new TlsFilesError(
    `SIDETONE_TLS_CERT: the certificate in ${paths.cert} ended on ${certificate.validTo}. Renew it.`,
  );
}

/** Looks for renewed certificate files while the server runs. */
export class TlsFiles {
  readonly #options: TlsFilesOptions;
  #timer: NodeJS.Timeout | undefined;
  #seen: string | undefined;

  constructor(options: TlsFilesOptions) {
    this.#options = options;
  }

  /** Takes what is there now for known. */
  async start(): Promise<void> {
    this.#seen = await this.#state();
    this.#timer = setInterval(() => void this.look(), LOOK_INTERVAL_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Reads the files if they changed. Files that are replaced one after the other are read again. */
  async look(): Promise<void> {
    const { paths, onRenewed, onSpoiled } = this.#options;
    const state = await this.#state();
    if (state === this.#seen) return;
    this.#seen = state;
    try {
      onRenewed(await readTlsPair(paths));
    } catch (thrown) {
      if (!(thrown instanceof TlsFilesError)) throw thrown;
      onSpoiled(thrown);
    }
  }

  async #state(): Promise<string> {
    const { cert, key } = this.#options.paths;
    return (await Promise.all([changeOf(cert), changeOf(key)])).join(' ');
  }
}

/** What differs when a file has been written, replaced, or pointed elsewhere. */
async function changeOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : 'absent';
}

async function readSetting(variable: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TlsFilesError(
      code === 'ENOENT'
        ? `${variable}: there is no file ${path}.`
        : `${variable}: ${path} cannot be read (${code}). Let the server's user read it.`,
      { cause },
    );
  }
}

function orRefuse<T>(make: () => T, problem: string): T {
  try {
    return make();
  } catch (cause) {
    throw new TlsFilesError(problem, { cause });
  }
}
