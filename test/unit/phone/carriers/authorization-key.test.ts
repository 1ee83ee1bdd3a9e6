import { expect, it } from 'vitest';
import { authorizationKey } from '../../../../src/phone/carriers/authorization-key.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

it.each([
  [undefined, undefined],
  ['Bearer key-1', 'key-1'],
  ['bearer  key-1', 'key-1'],
  ['key-1', 'key-1'],
  [basic('asterisk:key-1'), 'key-1'],
  [basic('asterisk:key:with:colons'), 'key:with:colons'],
  [basic(':key-1'), 'key-1'],
  [basic('key-1:'), 'key-1'],
  [basic('key-1'), 'key-1'],
  [basic(':'), undefined],
])('the key of %s is %s', (header, key) => {
  expect(authorizationKey(header)).toBe(key);
});
