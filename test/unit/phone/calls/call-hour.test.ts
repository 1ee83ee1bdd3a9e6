import { describe, expect, it } from 'vitest';
import { CallRig, testStart } from '../../../support/call-rig.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';

const HOUR_MS = 3_600_000;
/** A third of a second for a letter makes an hour of ten thousand of them. */
const SAMPLES_PER_SYMBOL = 7_350;
const SENTENCE = 'A sentence of forty letters, more or less. ';

describe('an hour on the phone', () => {
  it.each([
    ['a carrier that buffers', { leadMs: 400 }],
    ['one that must be paced', { answersMarks: false, clears: false, leadMs: 40 }],
  ])(
    'has no gap and no drift, at %s',
    async (_, carrier) => {
      const rig = new CallRig({ engine: new ToneEngine({ samplesPerSymbol: SAMPLES_PER_SYMBOL }) });
      const call = await rig.call({ carrier, start: testStart('pcm_22050') });
      call.connection.keepsAudio = false;
      let written = 0;
      const write = () => {
        call.say(SENTENCE, 'talk');
        call.mark(`${written++}`);
      };
      call.onEvent = (event) => {
        if (event.type === 'mark-heard') write();
      };
      write();
      write();
      await rig.clock.advance(60_000);
      const aheadAfterAMinute = call.connection.aheadMs;
      await rig.clock.advance(HOUR_MS - 60_000);
      const { stretches, mostAheadMs, leastAheadMs } = call.connection;
      expect(stretches).toHaveLength(1);
      expect(stretches[0]?.startMs).toBe(0);
      const heardMs = stretches[0]?.durationMs ?? 0;
      const leadMs = carrier.leadMs;
      expect(heardMs).toBeGreaterThan(HOUR_MS - leadMs);
      expect(mostAheadMs).toBeLessThanOrEqual(leadMs);
      expect(leastAheadMs).toBeGreaterThan(0);
      expect(Math.abs(call.connection.aheadMs - aheadAfterAMinute)).toBeLessThan(leadMs / 4 + 20);
      expect(call.marks).toEqual(
        Array.from({ length: call.marks.length }, (_nothing, at) => `${at}`),
      );
      expect(call.marks.length).toBeGreaterThan(200);
      call.command({ type: 'clear' });
      await rig.clock.settle();
      const [cut] = call.told('interruption').flatMap((event) => event.cut);
      expect(cut?.heardMs).toBeGreaterThan(HOUR_MS - 100 - 20);
      expect(cut?.heardMs).toBeLessThanOrEqual(HOUR_MS - 100 + leadMs);
      call.connection.say({ type: 'stop' });
      await rig.clock.settle();
      expect(rig.clock.timers).toBe(0);
    },
    120_000,
  );
});
