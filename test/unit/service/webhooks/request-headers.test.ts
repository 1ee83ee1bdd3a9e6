import { describe, expect, it } from 'vitest';
import { requestHeadersProblem } from '../../../../src/service/webhooks/request-headers.ts';

describe('request headers of a webhook', () => {
  it.each([
    {},
    { Authorization: 'Bearer abc.def-_~+/=', 'X-Tenant': 'a b\tc', 'User-Agent': 'mine' },
    { "!#$%&'*+.^_`|~": '' },
    { 'x-long': 'v'.repeat(2_048) },
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, 'v'])),
  ])('can be %j', (headers) => {
    expect(requestHeadersProblem(headers)).toBeUndefined();
  });

  it.each([
    'Host',
    'content-length',
    'Content-Type',
    'Content-Encoding',
    'ElevenLabs-Signature',
    'webhook-id',
    'Webhook-Signature',
    'webhook-timestamp',
    'Connection',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'Proxy-Authorization',
    'proxy-connection',
  ])('cannot be %s, which is ours', (name) => {
    expect(requestHeadersProblem({ [name]: 'x' })).toBe(
      `The header ${name} is set by the service; leave it out.`,
    );
  });

  it.each(['', 'a b', 'a:', 'a\r\nb', 'ä', 'a\0', 'x'.repeat(101)])(
    'need a name, not %j',
    (name) => {
      expect(requestHeadersProblem({ [name]: 'x' })).toMatch(/is no name of a header/);
    },
  );

  it.each(['a\r\nx-evil: 1', 'a\nb', 'a\0b', 'ä', '\x7f', 'v'.repeat(2_049)])(
    'need a value that can be sent, not %j, and do not repeat it',
    (value) => {
      const problem = requestHeadersProblem({ 'x-key': value });
      expect(problem).toMatch(/^The value of x-key must be/);
      expect(problem).not.toContain(value);
    },
  );

  it('are refused when they are too many or the same', () => {
    const many = Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'v'] as const);
    expect(requestHeadersProblem(Object.fromEntries(many))).toMatch(/At most 20/);
    expect(requestHeadersProblem({ 'X-A': '1', 'x-a': '2' })).toMatch(/x-a is given twice/);
  });
});
