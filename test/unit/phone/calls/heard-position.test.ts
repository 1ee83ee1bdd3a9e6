import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cue, Playback } from '../../../../src/phone/calls/playback.ts';
import { SentAudioLog } from '../../../../src/phone/calls/sent-audio-log.ts';

function cue(heard: () => void = () => undefined): Cue {
  return { kind: 'bot', heard };
}

describe('Playback', () => {
  it('reckons from when audio was sent, and pauses when there is none', () => {
    const playback = new Playback(false);
    expect(playback.positionMs(1000)).toBe(0);
    playback.sent(100, 1000);
    expect(playback.positionMs(1040)).toBe(40);
    expect(playback.positionMs(5000)).toBe(100);
    playback.sent(60, 5000);
    playback.sent(60, 5010);
    expect(playback.positionMs(5100)).toBe(200);
    expect(playback.isOver(5119)).toBe(false);
    expect(playback.isOver(5120)).toBe(true);
  });

  it('believes the carrier: not beyond a mark that has not come back, and on from one that has', () => {
    const playback = new Playback(true);
    playback.sent(100, 0);
    playback.await('m', cue());
    playback.sent(100, 0);
    expect(playback.positionMs(150)).toBe(100);
    expect(playback.echoed('m', 160)).toHaveLength(1);
    expect(playback.positionMs(190)).toBe(130);
    expect(playback.echoed('m', 191)).toEqual([]);
  });

  it('takes a mark that came back for those before it', () => {
    const playback = new Playback(true);
    const cues = [cue(), cue(), cue()];
    for (const [index, waiting] of cues.entries()) {
      playback.sent(20, 0);
      playback.await(`m${index}`, waiting);
    }
    expect(playback.echoed('m1', 50)).toEqual(cues.slice(0, 2));
    expect(playback.dueInMs(50)).toBeUndefined();
  });

  it('has cues due by the clock where no mark comes back', () => {
    const playback = new Playback(false);
    const [first, second] = [cue(), cue()];
    playback.sent(20, 0);
    playback.await('a', first);
    playback.sent(20, 0);
    playback.await('b', second);
    expect(playback.dueInMs(5)).toBe(15);
    expect(playback.due(19)).toEqual([]);
    expect(playback.due(20)).toEqual([first]);
    expect(playback.due(100)).toEqual([second]);
  });

  it('forgets what is cut, and its marks', () => {
    const playback = new Playback(true);
    playback.sent(400, 0);
    playback.await('m', cue());
    playback.cut(playback.positionMs(150), 150);
    expect(playback.echoed('m', 151)).toEqual([]);
    expect(playback.positionMs(1000)).toBe(150);
    playback.sent(100, 2000);
    expect(playback.positionMs(2050)).toBe(200);
  });
});

interface Sent {
  readonly speaker: 'a' | 'b' | undefined;
  readonly durationMs: number;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  speaker: fc.constantFrom('a' as const, 'b' as const, undefined),
  durationMs: fc.integer({ min: 1, max: 500 }),
});

/** The plainest way to the same answer: one entry a millisecond. */
function heardOf(timeline: ReadonlyArray<Sent['speaker']>, speaker: 'a' | 'b', positionMs: number) {
  return timeline.slice(0, positionMs).filter((owner) => owner === speaker).length;
}

describe('SentAudioLog', () => {
  it('tells speakers’ audio apart as a list of milliseconds does, settled and cut or not', () => {
    fc.assert(
      fc.property(
        fc.array(sent, { minLength: 1, maxLength: 20 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        (pieces, [settleAt = 0, cutAt = 0, askAt = 0]) => {
          const ledger = new SentAudioLog<'a' | 'b'>();
          let timeline: Array<Sent['speaker']> = [];
          const enter = () => {
            for (const { speaker, durationMs } of pieces) {
              if (speaker) ledger.enter(speaker, timeline.length, durationMs);
              timeline.push(...Array.from({ length: durationMs }, () => speaker));
            }
          };
          enter();
          const settledMs = Math.floor(settleAt * timeline.length);
          ledger.settle(settledMs);
          const cutMs = settledMs + Math.floor(cutAt * (timeline.length - settledMs));
          ledger.cut(cutMs);
          timeline = timeline.slice(0, cutMs);
          enter();
          const askMs = settledMs + Math.floor(askAt * (timeline.length - settledMs));
          for (const speaker of ['a', 'b'] as const) {
            expect(ledger.heardMs(speaker, askMs)).toBe(heardOf(timeline, speaker, askMs));
          }
        },
      ),
    );
  });
});
