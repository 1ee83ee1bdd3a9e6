import { describe, expect, it } from 'vitest';
import { mediaAddress, publicAddress } from '../../../../src/phone/carriers/public-address.ts';
import { urlSpellings } from '../../../../src/phone/carriers/url-spellings.ts';

const PROXY = '10.0.0.1';
const rules = {
  publicUrl: undefined,
  isTrustedProxy: (address: string | undefined) => address === PROXY,
};
const forwarded = {
  host: 'inside:8080',
  'x-forwarded-proto': 'https, http',
  'x-forwarded-host': 'voice.example.com',
};

describe('the public address', () => {
  it('is what the operator says, whatever the request says', () => {
    const given = { ...rules, publicUrl: 'https://voice.example.com/phone' };
    expect(publicAddress({ headers: forwarded, peerAddress: PROXY }, given)).toBe(given.publicUrl);
  });

  it('is what a trusted proxy was asked, and nobody else may say so', () => {
    expect(publicAddress({ headers: forwarded, peerAddress: PROXY }, rules)).toBe(
      'https://voice.example.com',
    );
    expect(publicAddress({ headers: forwarded, peerAddress: '203.0.113.7' }, rules)).toBe(
      'http://inside:8080',
    );
  });

  it('is https where the server speaks TLS itself, unless a trusted proxy says otherwise', () => {
    const own = { ...rules, servesTls: true };
    const headers = { host: 'voice.example.com' };
    expect(publicAddress({ headers, peerAddress: undefined }, own)).toBe(
      'https://voice.example.com',
    );
    const plain = { ...headers, 'x-forwarded-proto': 'http' };
    expect(publicAddress({ headers: plain, peerAddress: PROXY }, own)).toBe(
      'http://voice.example.com',
    );
  });

  it.each(['', 'a b', 'host/path', 'user@host', 'host"', 'host\u0000', '[::1', 'host:port'])(
    'is not made of the Host header %j',
    (host) => {
      expect(() => publicAddress({ headers: { host }, peerAddress: undefined }, rules)).toThrow(
        expect.objectContaining({ code: 'invalid_parameters' }),
      );
    },
  );
});

describe('the address of media', () => {
  it('is wss, but for this machine itself', () => {
    expect(mediaAddress('https://voice.example.com/phone')).toBe('wss://voice.example.com/phone');
    expect(mediaAddress('http://voice.example.com')).toBe('wss://voice.example.com');
    expect(mediaAddress('https://localhost:8443')).toBe('wss://localhost:8443');
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      expect(mediaAddress(`http://${host}`)).toBe(`ws://${host}`);
    }
    expect(mediaAddress('http://localhost.example.com')).toBe('wss://localhost.example.com');
  });
});

describe('the spellings of an address', () => {
  it('are of scheme, standard port and slash, and never of anything else', () => {
    const spellings = urlSpellings('wss://voice.example.com/a/b?c=%2B1#x');
    expect(spellings).toContain('https://voice.example.com:443/a/b?c=%2B1');
    expect(spellings).toContain('wss://voice.example.com/a/b/?c=%2B1');
    const rest = /^(?:wss|ws|https):\/\/voice\.example\.com(?::443|:80)?\/a\/b\/?\?c=%2B1$/;
    for (const spelling of spellings.slice(1)) expect(spelling).toMatch(rest);
  });

  it('leave alone what is no address', () => {
    expect(urlSpellings('nonsense')).toEqual(['nonsense']);
  });
});
