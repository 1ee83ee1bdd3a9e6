// @ts-check
import { registryFor } from './npm-settings.mjs';
import { getJson } from './request.mjs';
import { withRetries } from './retry.mjs';

const PUBLIC_REGISTRY_HOST = 'registry.npmjs.org';

/**
 * @param {string} spec `name@version` or `@scope/name@version`.
 * @returns {{ name: string, version: string }}
 */
export function parseSpec(spec) {
  const at = spec.lastIndexOf('@');
  return { name: spec.slice(0, at), version: spec.slice(at + 1) };
}

/**
 * Asks the registry where a version's tarball lies.
 *
 * A mirror may still name the public registry in its documents; npm then asks the mirror all the same
 * (its `replace-registry-host` setting, "npmjs" by default), and so do we.
 *
 * @param {string} spec exact version.
 * @param {import('./npm-settings.mjs').NpmSettings} settings
 * @param {import('./request.mjs').Network} network
 * @param {number} [firstPauseMs] before the first retry.
 * @returns {Promise<URL>}
 * @throws {Error} when the registry has no such version or does not answer.
 */
export async function tarballUrl(spec, settings, network, firstPauseMs) {
  const { name, version } = parseSpec(spec);
  const registry = registryFor(settings, name);
  const page = new URL(`${name.replace('/', '%2f')}/${version}`, registry);
  const document = await withRetries(() => getJson(page, network), {
    firstPauseMs,
  });
  const tarball = /** @type {{ dist?: { tarball?: unknown } } | null} */ (document)?.dist?.tarball;
  if (typeof tarball !== 'string') throw new Error(`${page.host} names no tarball for ${spec}`);
  const url = new URL(tarball);
  const replace = settings.get('replace-registry-host') ?? 'npmjs';
  const isPublic = url.host === PUBLIC_REGISTRY_HOST && replace === 'npmjs';
  return isPublic || replace === 'always' ? new URL(url.pathname.slice(1), registry) : url;
}
