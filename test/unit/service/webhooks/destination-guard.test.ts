import { describe, expect, it } from 'vitest';
import {
  DestinationError,
  DestinationGuard,
  type DestinationRules,
} from '../../../../src/service/webhooks/destination-guard.ts';

function guard(rules: Partial<DestinationRules> = {}): DestinationGuard {
  return new DestinationGuard({ allow: [], allowHttp: false, ...rules });
}

const PUBLIC_URL = new URL('https://example.com/');

describe('the destination guard', () => {
  it.each([
    'https://example.com/hook?token=1#part',
    'https://EXAMPLE.com:443/',
    'https://example.com:8443/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  ])('lets %s pass', (url) => {
    expect(guard().checkUrl(url).href).toBe(new URL(url).href);
  });

  it.each([
    ['', /no URL/],
    ['example.com/hook', /no URL/],
    ['https://', /no URL/],
    ['https://[fe80::1%25eth0]/', /no URL/],
    ['https://[fe80::1%eth0]/', /no URL/],
    ['https://exa mple.com/', /no URL/],
    ['http://example.com/', /must start with https:\/\//],
    ['ftp://example.com/', /must start with https/],
    ['file:///etc/passwd', /must start with https/],
    ['javascript:alert(1)', /must start with https/],
    ['https://user@example.com/', /user name or password/],
    ['https://:word@example.com/', /user name or password/],
    ['https://example.com:25/', /Port 25/],
    ['https://example.com:0/', /Port 0/],
    ['https://example.com:6379/', /Port 6379/],
    ['https://example.com:80/', /Port 80/],
  ])('refuses %j', (url, message) => {
    expect(() => guard().checkUrl(url)).toThrow(DestinationError);
    expect(() => guard().checkUrl(url)).toThrow(message);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://①②⑦.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://0.0.0.0/',
    'https://0/',
    'https://[::]/',
    'https://[::1]/',
  ])('knows loopback when it is written as %s', (url) => {
    expect(() => guard().checkUrl(url)).toThrow(/not on the public internet/);
  });

  it.each([
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2606:4700::1%eth0',
    '::ffff:8.8.8.8%1',
    'localhost',
    '',
  ])('keeps sockets from %j', (address) => {
    expect(guard().permits(PUBLIC_URL, address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::1111',
    '3ffe::1',
  ])('lets sockets reach %s', (address) => {
    expect(guard().permits(PUBLIC_URL, address)).toBe(true);
  });
});

describe('what the operator allows', () => {
  it('is http, where that is wanted', () => {
    const rules = guard({ allowHttp: true });
    expect(rules.checkUrl('http://example.com/').protocol).toBe('http:');
    expect(rules.checkUrl('http://example.com:8080/').port).toBe('8080');
    expect(() => rules.checkUrl('http://127.0.0.1/')).toThrow(/public internet/);
    expect(() => rules.checkUrl('ftp://example.com/')).toThrow(/https:\/\/ or http:\/\//);
  });

  it('are hosts by name, at any port and address', () => {
    const rules = guard({ allow: ['Hooks.Internal.', 'localhost'] });
    const url = rules.checkUrl('https://hooks.internal:9000/');
    expect(rules.permits(url, '10.1.2.3')).toBe(true);
    expect(rules.permits(rules.checkUrl('https://HOOKS.internal./'), 'fd00::1')).toBe(true);
    const other = rules.checkUrl('https://evil-hooks.internal/');
    expect(rules.permits(other, '10.1.2.3')).toBe(false);
    expect(() => rules.checkUrl('https://not.hooks.internal:9000/')).toThrow(/Port 9000/);
  });

  it('are addresses and networks, also for names that resolve into them', () => {
    const rules = guard({ allow: ['10.1.0.0/16', '127.0.0.1', 'fd00::/8'] });
    expect(rules.checkUrl('https://127.0.0.1:9000/').port).toBe('9000');
    expect(rules.checkUrl('https://[fd00::1]:9000/').port).toBe('9000');
    expect(rules.permits(PUBLIC_URL, '10.1.255.1')).toBe(true);
    expect(rules.permits(PUBLIC_URL, '::ffff:10.1.255.1')).toBe(true);
    expect(rules.permits(PUBLIC_URL, '10.2.0.1')).toBe(false);
    expect(rules.permits(PUBLIC_URL, '127.0.0.2')).toBe(false);
    expect(rules.permits(PUBLIC_URL, 'fe80::1')).toBe(false);
    expect(rules.permits(PUBLIC_URL, 'fd00::1%eth0')).toBe(false);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0/8',
    '::/129',
    'https://a',
    'a b',
    '*',
    'fe80::1%eth0',
    'a..b',
    '',
  ])('is not %j', (entry) => {
    expect(() => guard({ allow: [entry] })).toThrow(/SIDETONE_WEBHOOK_ALLOW must list .*, not "/);
  });
});
