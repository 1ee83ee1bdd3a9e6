import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RateLimits } from '../../../../src/api/identity/rate-limits.ts';

const ADDRESS = '203.0.113.7';
const TOO_OFTEN = { code: 'rate_limit_exceeded', retryAfterS: 10 };
let limits: RateLimits;

beforeEach(() => {
  vi.useFakeTimers();
  // Two and three in ten seconds.
  limits = new RateLimits({ keylessPerMinute: 12, keyedPerMinute: 18 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an address without a key', () => {
  it('may ask so often, and again when the window is over', async () => {
    await limits.countKeyless(ADDRESS);
    await limits.countKeyless(ADDRESS);
    await expect(limits.countKeyless(ADDRESS)).rejects.toMatchObject(TOO_OFTEN);
    await limits.countKeyless('203.0.113.8');
    vi.advanceTimersByTime(10_000);
    await limits.countKeyless(ADDRESS);
  });

  it('is a whole network where the address is of IPv6, and one with its IPv4-mapped form', async () => {
    await limits.countKeyless('2001:db8:1:2::1');
    await limits.countKeyless('2001:db8:1:2:ffff::9');
    await expect(limits.countKeyless('2001:db8:1:2::3')).rejects.toMatchObject(TOO_OFTEN);
    await limits.countKeyless('2001:db8:1:3::1');
    await limits.countKeyless('::ffff:198.51.100.1');
    await limits.countKeyless('198.51.100.1');
    await expect(limits.countKeyless('198.51.100.1')).rejects.toMatchObject(TOO_OFTEN);
  });
});

describe('a key', () => {
  it('may ask so often, wherever it is', async () => {
    for (let request = 0; request < 3; request++) await limits.countKeyed('hash');
    await expect(limits.countKeyed('hash')).rejects.toMatchObject(TOO_OFTEN);
    await limits.countKeyed('other-hash');
  });

  it('is not held up by the failures of its neighbours, once it has been valid', async () => {
    await limits.countKeyed('hash');
    await limits.assertMayTry(ADDRESS, 'unknown');
    await limits.countKeyless(ADDRESS);
    await limits.countKeyless(ADDRESS);
    await limits.assertMayTry(ADDRESS, 'hash');
    await expect(limits.assertMayTry(ADDRESS, 'unknown')).rejects.toMatchObject(TOO_OFTEN);
    await expect(limits.assertMayTry(ADDRESS)).rejects.toMatchObject(TOO_OFTEN);
  });
});
