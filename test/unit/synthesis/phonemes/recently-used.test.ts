import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from '../../../../src/synthesis/phonemes/recently-used.ts';

describe('RecentlyUsed', () => {
  it('forgets what was not used for longest', () => {
    const values = new RecentlyUsed<number>(2);
    values.set('a', 1);
    values.set('b', 2);
    expect(values.get('a')).toBe(1);
    values.set('c', 3);
    expect([values.get('a'), values.get('b'), values.get('c')]).toEqual([1, undefined, 3]);
  });

  it('replaces a value in its place', () => {
    const values = new RecentlyUsed<number>(2);
    values.set('a', 1);
    values.set('b', 2);
    values.set('a', 3);
    expect([values.get('a'), values.get('b')]).toEqual([3, 2]);
  });
});
