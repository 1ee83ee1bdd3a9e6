import { describe, expect, it } from 'vitest';
import {
  type AnnouncedCall,
  AudioSocketCalls,
} from '../../../../../src/phone/carriers/audiosocket/audiosocket-calls.ts';

const CALL = { parameters: { from: '1000' } } as unknown as AnnouncedCall;

describe('announced calls', () => {
  it('are claimed once', () => {
    const calls = new AudioSocketCalls(() => 0);
    const { uuid } = calls.announce(CALL);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(calls.claim(uuid)).toBe(CALL);
    expect(calls.claim(uuid)).toBeUndefined();
    expect(calls.claim('40325ec2-f4bd-4f9f-b3e7-b7f9e1d2c3a4')).toBeUndefined();
  });

  it('wait a minute', () => {
    let nowMs = 0;
    const calls = new AudioSocketCalls(() => nowMs);
    const [first, second] = [calls.announce(CALL), calls.announce(CALL)];
    nowMs = first.validForMs - 1;
    expect(calls.claim(first.uuid)).toBe(CALL);
    nowMs++;
    expect(calls.claim(second.uuid)).toBeUndefined();
  });

  it('are refused when too many wait, until some have expired', () => {
    let nowMs = 0;
    const calls = new AudioSocketCalls(() => nowMs, 2);
    const { validForMs } = calls.announce(CALL);
    calls.announce(CALL);
    expect(() => calls.announce(CALL)).toThrow(expect.objectContaining({ code: 'system_busy' }));
    nowMs = validForMs;
    expect(() => calls.announce(CALL)).not.toThrow();
  });
});
