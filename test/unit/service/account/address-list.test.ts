import { describe, expect, it } from 'vitest';
import { AddressList, isAddressRange } from '../../../../src/service/account/address-list.ts';
import { clientAddress } from '../../../../src/service/account/client-address.ts';

describe('a list of addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:203.0.113.8'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['10.1.2.3/8', '10.255.0.1', '11.0.0.0'],
    ['10.0.0.0/8', '::ffff:a01:203', '::ffff:b01:203'],
    ['::ffff:10.0.0.0/104', '10.9.9.9', '11.0.0.0'],
    ['0.0.0.0/0', '198.51.100.1', '2001:db8::1'],
    ['2001:db8::/32', '2001:0DB8:0:0::5', '2001:db9::'],
    ['2001:db8::1', '2001:db8:0:0:0:0:0:1', '2001:db8::2'],
    ['192.0.2.128/25', '192.0.2.200', '192.0.2.127'],
  ])('%s has %s and lacks %s', (entry, inside, outside) => {
    const list = new AddressList(['198.18.0.1', entry]);
    expect(list.has(inside)).toBe(true);
    expect(list.has(outside)).toBe(false);
  });

  it.each(['', 'localhost', '1.2.3', '010.0.0.1x', '1.2.3.4/8', 'fe80::1%eth0'])(
    'takes "%s" for nobody',
    (address) => expect(new AddressList(['0.0.0.0/0']).has(address)).toBe(false),
  );

  it.each([
    '',
    'example.com',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
    '1.2.3.4/0x8',
    '::1/129',
    'fe80::1%eth0',
    ' 1.2.3.4',
    '1.2.3.4,5.6.7.8',
  ])('refuses the entry "%s", by name', (entry) => {
    expect(isAddressRange(entry)).toBe(false);
    expect(() => new AddressList(['10.0.0.1', entry])).toThrow(`"${entry}" is no IP address`);
  });
});

describe('the address of a client', () => {
  const proxies = new AddressList(['10.0.0.0/8', '2001:db8::/32']);
  const from = (peerAddress: string | undefined, forwardedFor?: string) =>
    clientAddress({ peerAddress, forwardedFor }, proxies);

  it('is the peer, whatever it claims, unless it is a trusted proxy', () => {
    expect(from('203.0.113.7')).toBe('203.0.113.7');
    expect(from('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
    expect(from('10.0.0.1')).toBe('10.0.0.1');
  });

  it('is whom the last trusted proxy got the request from', () => {
    expect(from('10.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('::ffff:10.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('10.0.0.1', 'spoofed, 1.1.1.1 , 198.51.100.1,10.0.0.2')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '10.0.0.9, 10.0.0.2')).toBe('10.0.0.9');
  });

  it('is read in the forms in which proxies write it', () => {
    expect(from('10.0.0.1', '198.51.100.1:55123')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '[2001:db9::5]:55123')).toBe('2001:db9::5');
    expect(from('10.0.0.1', '[2001:db9::5]')).toBe('2001:db9::5');
    expect(from('10.0.0.1', '2001:db9::5')).toBe('2001:db9::5');
    expect(from('fe80::1%eth0')).toBe('fe80::1');
  });

  it('is nobody when a trusted proxy hides it', () => {
    expect(from('10.0.0.1', 'unknown')).toBeUndefined();
    expect(from('10.0.0.1', '198.51.100.1, _hidden')).toBeUndefined();
    expect(from(undefined, '198.51.100.1')).toBeUndefined();
  });
});
