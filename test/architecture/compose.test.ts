import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settingsTable } from '../../src/config.ts';

interface ComposeFile {
  readonly services: Readonly<Record<'sidetone' | 'caddy', ComposeService>>;
  readonly networks: {
    readonly default: {
      readonly ipam: { readonly config: readonly { readonly subnet: string }[] };
    };
  };
  readonly volumes: Readonly<Record<string, null>>;
}

interface ComposeService {
  readonly profiles?: readonly string[];
  readonly command?: string;
  readonly ports: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
  readonly depends_on?: { readonly caddy: { readonly required: boolean } };
}

const text = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const { services, networks, volumes } = parse(text) as ComposeFile;
const { sidetone, caddy } = services;

it('sets variables that are settings, to values that can be used', () => {
  const known = settingsTable().map(({ variable }) => variable);
  const set = sidetone.environment ?? {};
  expect(Object.keys(set).filter((variable) => !known.includes(variable))).toEqual([]);
  const fixed = Object.entries(set).filter(([, value]) => !value.includes('${'));
  expect(readConfig(Object.fromEntries(fixed)).trustedProxies).toHaveLength(1);
});

it('opens nothing to other machines but Caddy, which runs where it is asked for', () => {
  expect(sidetone.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:8080$/)]);
  expect(caddy.profiles).toEqual(['tls']);
  expect(caddy.command).toMatch(/ --to sidetone:8080$/);
  expect(sidetone.profiles).toBeUndefined();
  expect(sidetone.depends_on?.caddy.required).toBe(false);
});

it('names Caddy alone among the trusted proxies, at an address of its network', () => {
  const address = caddy.networks?.default.ipv4_address ?? '';
  expect(sidetone.environment?.['SIDETONE_TRUSTED_PROXIES']).toBe(address);
  const [{ subnet } = { subnet: '' }] = networks.default.ipam.config;
  expect(subnet).toBe(`${address.slice(0, address.lastIndexOf('.'))}.0/24`);
});

it('keeps state and certificates in volumes of their own', () => {
  const named = [...sidetone.volumes, ...caddy.volumes].map((volume) => volume.split(':')[0]);
  expect(named.sort()).toEqual(Object.keys(volumes).sort());
});
