import { describe, expect, it } from 'vitest';
import { Holdings, ratedStreams } from '../../../../src/synthesis/engine/places.ts';

const times = (count: number, accountId: string) => Array.from({ length: count }, () => accountId);

describe('the rating of a machine', () => {
  it('leaves a quarter of what was measured', () => {
    expect(ratedStreams({ cores: 2, realTimeFactor: 0.088 })).toBe(17);
    expect(ratedStreams({ cores: 1, realTimeFactor: 0.088 })).toBe(8);
    expect(ratedStreams({ cores: 32, realTimeFactor: 0.05 })).toBe(480);
  });

  it('is at least one stream', () => {
    expect(ratedStreams({ cores: 1, realTimeFactor: 3 })).toBe(1);
    expect(ratedStreams({ cores: 2, realTimeFactor: 0 })).toBe(1);
  });
});

describe('places', () => {
  it('are all for use, the last ones by accounts with less than their even share', () => {
    expect(new Holdings(16, times(13, 'a')).hasRoomFor('a')).toBe(true);
    expect(new Holdings(16, times(14, 'a')).hasRoomFor('a')).toBe(false);
    expect(new Holdings(16, times(14, 'a')).hasRoomFor('b')).toBe(true);
    expect(new Holdings(16, [...times(14, 'a'), 'b']).hasRoomFor('b')).toBe(true);
    expect(new Holdings(16, [...times(14, 'a'), 'b', 'b']).hasRoomFor('c')).toBe(false);
  });

  it('go to whoever has fewer, as they come free', () => {
    const holders = [...times(13, 'a'), ...times(2, 'b')];
    expect(new Holdings(16, holders).hasRoomFor('a')).toBe(false);
    expect(new Holdings(16, holders).hasRoomFor('b')).toBe(true);
  });

  it('are kept for nobody where there are few', () => {
    expect(new Holdings(4, times(3, 'a')).hasRoomFor('a')).toBe(true);
    expect(new Holdings(4, times(4, 'a')).hasRoomFor('b')).toBe(false);
  });

  it('tell an account that another crowds out', () => {
    expect(new Holdings(16, times(14, 'a')).isCrowdedOut('b')).toBe(true);
    expect(new Holdings(16, [...times(14, 'a'), 'b']).isCrowdedOut('b')).toBe(false);
    const even = Array.from({ length: 16 }, (_, index) => `account ${index}`);
    expect(new Holdings(16, even).isCrowdedOut('one more')).toBe(false);
  });
});
