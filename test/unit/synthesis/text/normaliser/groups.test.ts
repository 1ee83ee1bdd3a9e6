import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupsOf } from '../../../../../src/synthesis/text/normaliser/groups.ts';

it.each([
  ['12345', ['12345']],
  ['123456', ['123', '456']],
  ['1234567', ['123', '4567']],
  ['12345678', ['1234', '5678']],
  ['1234567890', ['123', '456', '7890']],
  ['12345678901', ['123', '4567', '8901']],
])('%s is said as %j', (identifier, groups) => expect(groupsOf(identifier)).toEqual(groups));

it('loses no character and leaves none alone', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z0-9]{2,40}$/), (identifier) => {
      const groups = groupsOf(identifier);
      expect(groups.join('')).toBe(identifier);
      expect(Math.min(...groups.map((group) => group.length))).toBeGreaterThanOrEqual(2);
    }),
  );
});
