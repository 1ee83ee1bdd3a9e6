import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate of this machine's own, and its key; both PEM files. */
export interface DevCertificate {
  readonly certPath: string;
  readonly keyPath: string;
}

const DAY_MS = 86_400_000;
/** The longest that browsers take. */
const VALID_DAYS = 397;
/** One that ends sooner is made anew. */
const LEAST_DAYS_LEFT = 30;

/** The certificate for this machine's own names; made once, so that clients go on trusting it. */
export async function devCertificate(folder: string): Promise<DevCertificate> {
  const files = { certPath: join(folder, 'cert.pem'), keyPath: join(folder, 'key.pem') };
  if (await isStillGood(files.certPath)) return files;
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: hostname() },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(files.keyPath, made.private, { mode: 0o600 });
  await writeFile(files.certPath, made.cert);
  return files;
}

async function isStillGood(certPath: string): Promise<boolean> {
  try {
    const { validTo } = new X509Certificate(await readFile(certPath));
    return Date.parse(validTo) > Date.now() + LEAST_DAYS_LEFT * DAY_MS;
  } catch {
    return false;
  }
}
