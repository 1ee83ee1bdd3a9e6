import { describe, expect, it } from 'vitest';
import {
  type Door,
  isSecretName,
  messageCredentials,
  requestCredentials,
} from '../../../../src/api/identity/key-places.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the key in Authorization', () => {
  it.each([
    ['', undefined],
    ['Bearer key-1', 'key-1'],
    ['bearer  key-1', 'key-1'],
    ['Bearerkey-1', 'key-1'],
    ['Token key-1', 'key-1'],
    ['token key-1', 'key-1'],
    ['tokenkey-1', 'tokenkey-1'],
    ['key-1', 'key-1'],
    [basic('asterisk:key-1'), 'key-1'],
    [basic('asterisk:key:with:colons'), 'key:with:colons'],
    [basic(':key-1'), 'key-1'],
    [basic('key-1:'), 'key-1'],
    [basic('key-1'), 'key-1'],
    [basic(':'), undefined],
  ])('of %s is %s', (authorization, key) => {
    const request = { headers: { authorization }, query: {} };
    expect(requestCredentials(request, 'carrier').key).toBe(key);
  });
});

describe('a door', () => {
  const everywhere = {
    headers: { 'xi-api-key': 'h', 'x-api-key': 'g', authorization: 'Bearer b' },
    query: {
      'xi-api-key': 'q',
      api_key: 'c',
      authorization: 'a',
      single_use_token: 's',
      token: 't',
    },
  };

  it.each([
    ['rest', 'h', undefined],
    ['socket', 'h', 's'],
    ['carrier', 'c', 't'],
  ] as [Door, string, string | undefined][])(
    '%s takes the first of its places',
    (door, key, token) => {
      expect(requestCredentials(everywhere, door)).toEqual({ key, token });
    },
  );

  it.each([
    ['token, key-1', 'key-1'],
    ['bearer,key-1', 'key-1'],
    ['key-1', undefined],
    ['chat, superchat', undefined],
    ['token, key-1, more', undefined],
  ])('of websockets reads the subprotocols %s', (protocols, key) => {
    const request = { headers: { 'sec-websocket-protocol': protocols }, query: {} };
    expect(requestCredentials(request, 'socket').key).toBe(key);
    expect(requestCredentials(request, 'rest').key).toBeUndefined();
  });

  it('reads the last of what is repeated, and nothing of what is empty', () => {
    const query = { 'xi-api-key': ['one', 'two'], single_use_token: '' };
    expect(requestCredentials({ headers: {}, query }, 'socket')).toEqual({
      key: 'two',
      token: undefined,
    });
    const others = { headers: { 'x-api-key': 'g' }, query: { api_key: 'c', xi_api_key: 'q' } };
    expect(requestCredentials(others, 'rest')).toEqual({ key: undefined, token: undefined });
  });
});

describe('a message', () => {
  it('carries a key in any spelling, and a token', () => {
    expect(messageCredentials({ Authorization: 'Bearer k' }).key).toBe('k');
    expect(messageCredentials({ xi_api_key: null, 'xi-api-key': 'k' }).key).toBe('k');
    expect(messageCredentials({ TOKEN: 't', from: '+1' })).toEqual({ key: undefined, token: 't' });
    expect(['api_key', 'Token', 'XI-API-KEY'].every(isSecretName)).toBe(true);
    expect(isSecretName('from')).toBe(false);
  });
});
