// @ts-check
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * npm's settings as npm itself would resolve them: environment, then the project's, the user's and the
 * global `.npmrc` (https://docs.npmjs.com/cli/configuring-npm/npmrc). Keys are lower-case with dashes.
 * @typedef {ReadonlyMap<string, string>} NpmSettings
 *
 * @typedef {Readonly<Record<string, string | undefined>>} Environment
 */

/**
 * @param {{ projectFolder: string, environment: Environment, homeFolder?: string, nodePath?: string }} place
 * @returns {NpmSettings}
 */
export function readNpmSettings({ projectFolder, environment, homeFolder, nodePath }) {
  const fromEnvironment = environmentSettings(environment);
  const home = homeFolder ?? os.homedir();
  const project = fileSettings(path.join(projectFolder, '.npmrc'), environment);
  const userFile = fromEnvironment.get('userconfig') ?? path.join(home, '.npmrc');
  const user = fileSettings(userFile, environment);
  const prefix =
    fromEnvironment.get('prefix') ??
    user.get('prefix') ??
    path.dirname(path.dirname(nodePath ?? process.execPath));
  const globalFile = fromEnvironment.get('globalconfig') ?? path.join(prefix, 'etc', 'npmrc');
  const global = fileSettings(globalFile, environment);
  return new Map([...global, ...user, ...project, ...fromEnvironment]);
}

/**
 * The `npm_config_*` variables; npm exports its command line to scripts this way. A key that starts with
 * `//` names a host and keeps its spelling.
 * @param {Environment} environment
 */
function environmentSettings(environment) {
  /** @type {Map<string, string>} */
  const settings = new Map();
  for (const [name, value] of Object.entries(environment)) {
    if (!/^npm_config_/i.test(name) || value === undefined || value === '') continue;
    const key = name.slice('npm_config_'.length);
    settings.set(key.startsWith('//') ? key : key.replace(/(?!^)_/g, '-').toLowerCase(), value);
  }
  return settings;
}

/**
 * @param {string} file
 * @param {Environment} environment
 */
function fileSettings(file, environment) {
  try {
    return parseNpmrc(readFileSync(file, 'utf8'), environment);
  } catch {
    // A file that is absent or unreadable simply sets nothing, as for npm.
    return new Map();
  }
}

/**
 * @param {string} text
 * @param {Environment} environment for `${NAME}` and `${NAME?}` in keys and values.
 * @returns {Map<string, string>}
 */
export function parseNpmrc(text, environment) {
  /** @type {Map<string, string>} */
  const settings = new Map();
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith(';') || trimmed.startsWith('#')) continue;
    const equals = trimmed.indexOf('=');
    const key = (equals < 0 ? trimmed : trimmed.slice(0, equals)).trim().replace(/\[\]$/, '');
    const value = equals < 0 ? 'true' : unquote(trimmed.slice(equals + 1).trim());
    settings.set(expand(key, environment), expand(value, environment));
  }
  return settings;
}

/** @param {string} value */
function unquote(value) {
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(value);
  return quoted ? (quoted[1] ?? quoted[2] ?? '') : value;
}

/**
 * @param {string} value
 * @param {Environment} environment
 */
function expand(value, environment) {
  return value.replace(/\$\{([^}?]+)(\?)?\}/g, (whole, name, optional) => {
    return environment[name] ?? (optional ? '' : whole);
  });
}

/**
 * The registry that serves a package: its scope's own, or the default one.
 * @param {NpmSettings} settings
 * @param {string} packageName
 * @returns {string} ends with a slash.
 */
export function registryFor(settings, packageName) {
  const scope = packageName.startsWith('@') ? packageName.split('/')[0] : undefined;
  const scoped = scope === undefined ? undefined : settings.get(`${scope}:registry`);
  const registry = scoped ?? settings.get('registry') ?? 'https://registry.npmjs.org/';
  return registry.endsWith('/') ? registry : `${registry}/`;
}

/**
 * The `Authorization` header that npm would send to `url`: credentials are keyed by host and path, and the
 * longest path that covers the URL wins. They never travel to another host.
 * @param {NpmSettings} settings
 * @param {URL} url
 * @returns {string | undefined}
 */
export function authorizationFor(settings, url) {
  let folder = `//${url.host}${url.pathname}`;
  while (folder.length > 2) {
    folder = folder.slice(0, folder.replace(/\/$/, '').lastIndexOf('/') + 1);
    const credentials = folder.length > 2 ? credentialsAt(settings, folder) : undefined;
    if (credentials !== undefined) return credentials;
  }
  return undefined;
}

/**
 * @param {NpmSettings} settings
 * @param {string} folder `//host/path/`.
 */
function credentialsAt(settings, folder) {
  const token = settings.get(`${folder}:_authToken`) ?? settings.get(`${folder}:_authtoken`);
  if (token) return `Bearer ${token}`;
  const basic = settings.get(`${folder}:_auth`);
  if (basic) return `Basic ${basic}`;
  const user = settings.get(`${folder}:username`);
  const password = settings.get(`${folder}:_password`);
  if (!user || !password) return undefined;
  const plain = Buffer.from(password, 'base64').toString('utf8');
  return `Basic ${Buffer.from(`${user}:${plain}`).toString('base64')}`;
}
