import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../../src/domain/bounded-map.ts';

describe('a bounded map', () => {
  it('forgets the entry that was set or used the longest ago', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2);
    expect(map.use('a')).toBe(1);
    map.set('c', 3);
    expect([...map]).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
  });

  it('does not count a look as a use', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([...map.keys()]).toEqual(['b', 'c']);
    expect(map.use('a')).toBeUndefined();
  });

  it('makes a key that is set again the youngest', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });

  it('bounds the weight of its values, not their number', () => {
    const map = new BoundedMap<string, string>(5, (text) => text.length);
    map.set('a', 'xx').set('b', 'xxx');
    expect(map.size).toBe(2);
    map.delete('a');
    map.set('c', 'xx');
    expect([...map.keys()]).toEqual(['b', 'c']);
    map.set('d', 'xxxx');
    expect([...map.keys()]).toEqual(['d']);
    map.set('e', 'longer than all');
    expect(map.size).toBe(0);
    map.clear();
    map.set('f', 'xxxxx');
    expect(map.size).toBe(1);
  });
});
