import { describe, expect, it } from 'vitest';
import { CallRig } from '../../../support/call-rig.ts';

const SILENCE = 0xff;

describe('a call', () => {
  it('opens the media path with silence, speaks, and tells the bot what was heard', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    expect(call.events[0]).toMatchObject({ type: 'call-start', call: { lineId: 'support' } });
    call.say('Hello there. ');
    call.mark('greeted');
    await rig.clock.advance(200);
    expect(call.marks).toEqual([]);
    await rig.clock.advance(2000);
    expect(call.marks).toEqual(['greeted']);
    expect(rig.engine.spoken.join('')).toBe('Hello there.');
    const { heard } = call.connection;
    expect(heard.slice(0, 800).every((byte) => byte === SILENCE)).toBe(true);
    const toneMs = ('Hello there.'.length * 1024 * 1000) / 22_050;
    expect(heard.length / 8).toBeGreaterThanOrEqual(100 + toneMs - 1);
    expect(heard.length / 8).toBeLessThan(100 + toneMs + 20);
    expect(call.connection.sent.filter((message) => message === 'done')).toHaveLength(1);
    // That for a bot that does not come, and the next look at the key.
    expect(rig.clock.timers).toBe(2);
  });
});
