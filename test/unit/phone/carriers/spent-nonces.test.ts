import { expect, it } from 'vitest';
import { SpentNonces } from '../../../../src/phone/carriers/spent-nonces.ts';

it('a nonce is good for once, until it would be too old anyway', () => {
  const spent = new SpentNonces();
  expect(spent.spend('a', 1000, 0)).toBe(true);
  expect(spent.spend('a', 1000, 999)).toBe(false);
  expect(spent.spend('b', 1500, 500)).toBe(true);
  expect(spent.spend('a', 3000, 2000)).toBe(true);
  expect(spent.size).toBe(1);
});

it('the memory is bounded, and forgets the oldest first', () => {
  const spent = new SpentNonces(3);
  for (const nonce of ['a', 'b', 'c', 'd']) spent.spend(nonce, 1000, 0);
  expect(spent.size).toBe(3);
  expect(spent.spend('d', 1000, 1)).toBe(false);
  expect(spent.spend('a', 1000, 1)).toBe(true);
});
