import { describe, expect, it } from 'vitest';
import { UploadLimiter } from '../../../../src/service/uploads/upload-limiter.ts';

const LIMITS = { ofAccount: { uploads: 2, bytes: 100 }, inAll: { uploads: 3, bytes: 150 } };

describe('UploadLimiter', () => {
  it('lets each account have its number, and all together theirs', () => {
    const limiter = new UploadLimiter(LIMITS);
    const end = limiter.admit('a', 10);
    limiter.admit('a', 10);
    expect(() => limiter.admit('a', 10)).toThrow(/2 uploads at once/);
    limiter.admit('b', 10);
    expect(() => limiter.admit('c', 10)).toThrow(/as many uploads as it can/);
    end();
    limiter.admit('c', 10);
    expect(limiter.size).toBe(3);
  });

  it('counts the bytes that are announced', () => {
    const limiter = new UploadLimiter(LIMITS);
    expect(() => limiter.admit('a', 101)).toThrow(
      expect.objectContaining({ code: 'too_many_concurrent_requests' }),
    );
    const end = limiter.admit('a', 100);
    expect(() => limiter.admit('b', 51)).toThrow(expect.objectContaining({ code: 'system_busy' }));
    limiter.admit('b', 50);
    end();
    limiter.admit('a', 100);
    expect(limiter.size).toBe(2);
  });
});
