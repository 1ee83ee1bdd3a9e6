// @ts-check
import { readFileSync } from 'node:fs';
import { authorizationFor } from './npm-settings.mjs';
import { proxyFor } from './proxy.mjs';
import { SetupError } from './setup-error.mjs';

const STALL_MS = 30_000;

/**
 * The network as the user's npm sees it: proxies, credentials and certificates.
 *
 * @param {import('./npm-settings.mjs').NpmSettings} settings
 * @param {import('./npm-settings.mjs').Environment} environment
 * @returns {import('./request.mjs').Network} Its `tls` throws a SetupError when npm's `cafile` cannot be read.
 */
export function networkOf(settings, environment) {
  return {
    proxyFor: (url) => proxyFor(settings, environment, url),
    authorizationFor: (url) => authorizationFor(settings, url),
    // Read when the first connection needs it: a start that fetches nothing must not fail over this.
    get tls() {
      return tlsOptions(settings);
    },
    stallMs: STALL_MS,
  };
}

/**
 * @param {import('./npm-settings.mjs').NpmSettings} settings
 * @returns {import('node:tls').ConnectionOptions}
 */
function tlsOptions(settings) {
  const ca = certificates(settings);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(settings.get('strict-ssl') === 'false' ? { rejectUnauthorized: false } : {}),
  };
}

/** @param {import('./npm-settings.mjs').NpmSettings} settings */
function certificates(settings) {
  const inline = settings.get('ca');
  if (inline !== undefined && inline !== 'null') return inline.replace(/\\n/g, '\n');
  const file = settings.get('cafile');
  if (file === undefined || file === 'null') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SetupError(`npm's "cafile" setting names ${file}, which cannot be read.`, { cause });
  }
}
