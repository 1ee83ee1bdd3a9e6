import { describe, expect, it } from 'vitest';
import { allowsTransfer } from '../../../../src/phone/calls/transfer-rule.ts';

const OWN = new Set(['+12025550177']);

describe('whom a line lets callers be passed on to', () => {
  it.each([
    ['+12025550123', '+12025550123', true],
    ['+12025550123', '12025550123', false],
    ['+1202555xxxx', '+12025550123', true],
    ['+1202555xxxx', '+120255501234', false],
    ['+1202555xxxx', '+1202555012x', false],
    ['2xx', '204', true],
    ['2xx', '2045', false],
    ['+49*', '+4930123456', true],
    ['+49*', '+49', true],
    ['+49*', '+491*', false],
    ['+49*', '+1490000', false],
    ['*98', '*98', true],
    ['*98', '198', false],
    ['sip:desk@pbx.example.com', 'sip:desk@pbx.example.com', true],
    ['sip:desk@pbx.example.com', 'sip:desk@pbxXexample.com', false],
    ['sip:*@pbx.example.com', 'sip:any.body@PBX.example.com', true],
    ['sip:*@pbx.example.com', 'sips:desk@pbx.example.com', false],
    ['sip:*@pbx.example.com', 'sip:desk@pbx.example.com;maddr=evil.example', false],
    ['sip:*@pbx.example.com', 'sip:desk@evil.example', false],
    ['sip:*@pbx.example.com', 'sip:desk;x=y@pbx.example.com', false],
  ])('%s for %s: %s', (pattern, to, isAllowed) => {
    expect(allowsTransfer([pattern], to, undefined)).toBe(isAllowed);
  });

  it('is nobody where it says nothing, but for the numbers that stand in its own menu', () => {
    expect(allowsTransfer(undefined, '+12025550177', undefined)).toBe(false);
    expect(allowsTransfer(undefined, '+12025550177', OWN)).toBe(true);
    expect(allowsTransfer(undefined, '+12025550178', OWN)).toBe(false);
  });

  it('is nobody at all, or anybody, where it says so', () => {
    expect(allowsTransfer([], '+12025550177', OWN)).toBe(false);
    expect(allowsTransfer('any', '+19005550177', undefined)).toBe(true);
  });
});
