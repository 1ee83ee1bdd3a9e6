// @ts-check

/**
 * Which proxy a request goes through, by the settings npm uses: `https-proxy`, `proxy` and `noproxy`, then
 * the environment's `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in either case.
 *
 * @param {import('./npm-settings.mjs').NpmSettings} settings
 * @param {import('./npm-settings.mjs').Environment} environment
 * @param {URL} url
 * @returns {URL | undefined}
 */
export function proxyFor(settings, environment, url) {
  const exceptions =
    settings.get('noproxy') ?? settings.get('no-proxy') ?? either(environment, 'NO_PROXY') ?? '';
  if (isException(exceptions, url)) return undefined;
  const plain = settings.get('proxy') ?? either(environment, 'HTTP_PROXY');
  const secure = settings.get('https-proxy') ?? either(environment, 'HTTPS_PROXY') ?? plain;
  const chosen = url.protocol === 'https:' ? secure : plain;
  if (chosen === undefined || ['', 'null', 'false', 'true'].includes(chosen)) return undefined;
  return new URL(chosen.includes('://') ? chosen : `http://${chosen}`);
}

/**
 * @param {import('./npm-settings.mjs').Environment} environment
 * @param {string} name upper-case.
 */
function either(environment, name) {
  return environment[name.toLowerCase()] || environment[name] || undefined;
}

/**
 * A name covers itself and its subdomains, with or without a leading dot; `*` covers everything.
 * @param {string} exceptions comma- or space-separated.
 * @param {URL} url
 */
function isException(exceptions, url) {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return exceptions
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entryPort !== undefined && entryPort !== port) return false;
      const domain = name.replace(/^\*?\./, '').toLowerCase();
      return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
    });
}
