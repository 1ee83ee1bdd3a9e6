import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where a Debian with Asterisk 22 is unpacked, once; no tool looks in there. */
const ROOT = fileURLToPath(new URL('../../node_modules/.cache/asterisk-debian', import.meta.url));
const PACKAGES = ['asterisk', 'baresip-core'];
const ARCHIVE = 'http://deb.debian.org/debian';

/** A folder that chroot can enter, or why there is none. */
export type AsteriskRoot = { readonly folder: string } | { readonly missing: string };

/**
 * Unpacks Debian's unstable suite, the one that carries Asterisk 22 with `chan_websocket`, and
 * baresip. Takes a minute and 600 MB the first time.
 */
export function openAsteriskRoot(): AsteriskRoot {
  if (existsSync(ROOT)) return { folder: ROOT };
  if (process.getuid?.() !== 0) return { missing: 'chroot needs to be run as root' };
  if (spawnSync('debootstrap', ['--version']).error) {
    return { missing: 'debootstrap is not installed (apt-get install debootstrap)' };
  }
  const unfinished = `${ROOT}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const unpacking = spawnSync(
    'debootstrap',
    ['--variant=minbase', `--include=${PACKAGES.join(',')}`, 'unstable', unfinished, ARCHIVE],
    { encoding: 'utf8' },
  );
  if (unpacking.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const reason = unpacking.stdout.trim().split('\n').at(-1) ?? '';
    return { missing: `debootstrap could not unpack Debian unstable: ${reason}` };
  }
  renameSync(unfinished, ROOT);
  return { folder: ROOT };
}
