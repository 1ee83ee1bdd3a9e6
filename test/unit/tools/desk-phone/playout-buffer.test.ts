import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { PlayoutBuffer } from '../../../../src/tools/desk-phone/playout-buffer.ts';
import type { PlayoutRules } from '../../../../src/tools/desk-phone/playout-rules.ts';

const FORMAT = parseOutputFormat('ulaw_8000');
const BYTES_PER_MS = 8;
const RULES: PlayoutRules = {
  frameMs: 20,
  prefillMs: 0,
  capacityMs: 600_000,
  clearedMarks: 'echoed at once',
};

function buffer(rules: Partial<PlayoutRules> = {}): PlayoutBuffer {
  return new PlayoutBuffer(FORMAT, { ...RULES, ...rules });
}

function ms(length: number, byte = 0x90): Uint8Array {
  return new Uint8Array(BYTES_PER_MS * length).fill(byte);
}

function heard(it: PlayoutBuffer) {
  return it.runs.map(({ startMs, endMs, end }) => [startMs, endMs, end]);
}

describe('PlayoutBuffer', () => {
  it('plays from the first arrival in real time, and tells when it has run dry', () => {
    const it = buffer();
    it.push(ms(60), 100);
    it.push(ms(40), 110);
    expect(it.advance(120)).toEqual([{ type: 'started', atMs: 100 }]);
    expect(it.queuedMs).toBe(80);
    expect(it.nextEventMs).toBe(200);
    expect(it.advance(500)).toEqual([{ type: 'drained', atMs: 200 }]);
    expect(heard(it)).toEqual([[100, 200, 'dry']]);
  });

  it('is silent until more comes, however late it is asked', () => {
    const it = buffer();
    it.push(ms(20), 0);
    it.push(ms(20), 35);
    it.advance(1000);
    expect(heard(it)).toEqual([
      [0, 20, 'dry'],
      [35, 55, 'dry'],
    ]);
  });

  it('answers a mark when everything before it has been played, and at once when nothing is', () => {
    const it = buffer();
    it.mark('early', 5);
    it.push(ms(40), 10);
    it.mark('middle', 11);
    it.push(ms(40), 12);
    it.mark('end', 13);
    expect(it.nextEventMs).toBe(50);
    expect(it.advance(49)).toEqual([
      { type: 'mark', name: 'early', isCleared: false, atMs: 5 },
      { type: 'started', atMs: 10 },
    ]);
    expect(it.advance(200)).toEqual([
      { type: 'mark', name: 'middle', isCleared: false, atMs: 50 },
      { type: 'mark', name: 'end', isCleared: false, atMs: 90 },
      { type: 'drained', atMs: 90 },
    ]);
    expect(heard(it)).toEqual([[10, 90, 'dry']]);
  });

  it('finishes the frame that is being played when a clear comes, and echoes every mark at once', () => {
    const it = buffer();
    it.push(ms(15), 0);
    it.mark('a', 0);
    it.push(ms(985), 0);
    it.mark('b', 0);
    it.clear(47);
    expect(it.clears).toEqual([{ atMs: 47, silentAtMs: 60, droppedMs: 940 }]);
    expect(it.advance(1000)).toEqual([
      { type: 'started', atMs: 0 },
      { type: 'mark', name: 'a', isCleared: false, atMs: 15 },
      { type: 'mark', name: 'b', isCleared: true, atMs: 47 },
      { type: 'cleared', atMs: 47 },
      { type: 'drained', atMs: 60 },
    ]);
    expect(heard(it)).toEqual([[0, 60, 'cut']]);
  });

  it('forgets the marks of a clear where the carrier does', () => {
    const it = buffer({ clearedMarks: 'forgotten' });
    it.push(ms(100), 0);
    it.mark('a', 0);
    it.clear(0);
    expect(it.advance(1000).filter(({ type }) => type === 'mark')).toEqual([]);
  });

  it('has nothing to silence when nothing is being heard', () => {
    const it = buffer();
    it.clear(10);
    expect(it.clears).toEqual([{ atMs: 10, silentAtMs: undefined, droppedMs: 0 }]);
  });

  it('plays new words right behind the frame that a clear came in the middle of', () => {
    const it = buffer();
    it.push(ms(500), 0);
    it.clear(25);
    it.push(ms(100), 30);
    it.advance(1000);
    expect(heard(it)).toEqual([[0, 140, 'dry']]);
  });

  it('waits for the jitter buffer to fill, again after every gap, and drops what does not fit', () => {
    const it = buffer({ prefillMs: 40, capacityMs: 60 });
    expect(it.push(ms(20), 0)).toBe(true);
    expect(it.advance(39)).toEqual([]);
    expect(it.nextEventMs).toBe(40);
    expect(it.push(ms(20), 40)).toBe(true);
    it.advance(100);
    expect([it.push(ms(40), 200), it.push(ms(20), 200), it.push(ms(20), 200)]).toEqual([
      true,
      true,
      false,
    ]);
    it.advance(1000);
    expect(heard(it)).toEqual([
      [40, 80, 'dry'],
      [240, 300, 'dry'],
    ]);
    expect(it.droppedMs).toBe(20);
  });

  it('asks for a pause at its upper level, and for more below the lower one', () => {
    const it = buffer({ flow: { offMs: 100, onMs: 80 } });
    it.push(ms(99), 0);
    expect(it.advance(0)).toEqual([{ type: 'started', atMs: 0 }]);
    it.push(ms(1), 0);
    expect(it.advance(20)).toEqual([{ type: 'flow', isOpen: false, atMs: 0 }]);
    expect(it.advance(21)).toEqual([{ type: 'flow', isOpen: true, atMs: 21 }]);
  });

  it('keeps everything while it is paused', () => {
    const it = buffer();
    it.push(ms(100), 0);
    it.pause(30);
    expect(it.nextEventMs).toBeUndefined();
    it.resume(500);
    expect(it.advance(1000)).toContainEqual({ type: 'drained', atMs: 570 });
    expect(heard(it)).toEqual([
      [0, 30, 'cut'],
      [500, 570, 'dry'],
    ]);
  });

  it('lets nobody hear what is left when the call ends', () => {
    const it = buffer();
    it.push(ms(100), 0);
    it.end(40);
    expect(heard(it)).toEqual([[0, 40, 'hang-up']]);
    expect(it.isIdle).toBe(true);
  });
});

type Step =
  | { readonly type: 'push'; readonly afterMs: number; readonly bytes: number }
  | { readonly type: 'mark' | 'clear' | 'advance'; readonly afterMs: number };

const afterMs = fc.integer({ min: 0, max: 120 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('push' as const),
        afterMs,
        bytes: fc.integer({ min: 1, max: 900 }),
      }),
    },
    fc.record({
      type: fc.constantFrom('mark' as const, 'clear' as const, 'advance' as const),
      afterMs,
    }),
  ),
  { maxLength: 60 },
);

/** Plays the steps, and at the end everything to its end. */
function play(it: PlayoutBuffer, script: readonly Step[], extraAdvances: boolean) {
  const events = [];
  let nowMs = 0;
  let marks = 0;
  let pushed = 0;
  for (const step of script) {
    for (let late = 0; extraAdvances && late < step.afterMs; late += 7) {
      events.push(...it.advance(nowMs + late));
    }
    nowMs += step.afterMs;
    if (step.type === 'push') {
      it.push(
        Uint8Array.from({ length: step.bytes }, () => pushed++ % 251),
        nowMs,
      );
    } else if (step.type === 'mark') it.mark(String(marks++), nowMs);
    else if (step.type === 'clear') it.clear(nowMs);
    events.push(...it.advance(nowMs));
  }
  events.push(...it.advance(nowMs + 1e6));
  return { events, marks, pushed };
}

describe('whatever is sent, PlayoutBuffer', () => {
  it('loses and invents nothing: what was heard and what was dropped is what was sent', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const it = buffer();
        const { pushed } = play(it, script, false);
        const heardBytes = it.runs.reduce(
          (sum, { audio }) => sum + audio.reduce((bytes, piece) => bytes + piece.length, 0),
          0,
        );
        const droppedBytes = it.clears.reduce((sum, { droppedMs }) => sum + droppedMs * 8, 0);
        const tails = it.clears.reduce((sum, { atMs, silentAtMs }) => {
          return sum + (silentAtMs === undefined ? 0 : (silentAtMs - atMs) * 8);
        }, 0);
        // A frame that was finished is counted as dropped and heard only once.
        expect(heardBytes + droppedBytes).toBeCloseTo(pushed, 3);
        expect(tails).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('plays at exactly real time, in order, never two things at once', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const it = buffer();
        play(it, script, false);
        let lastEndMs = 0;
        for (const { startMs, endMs, audio } of it.runs) {
          expect(startMs).toBeGreaterThanOrEqual(lastEndMs - 1e-6);
          const bytes = audio.reduce((sum, piece) => sum + piece.length, 0);
          expect(endMs - startMs).toBeCloseTo(bytes / 8, 6);
          lastEndMs = endMs;
        }
      }),
    );
  });

  it('answers every mark once, in order, and says the same however often it is asked', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const seldom = play(buffer(), script, false);
        const often = play(buffer(), script, true);
        expect(often.events).toEqual(seldom.events);
        const names = seldom.events.flatMap((event) => (event.type === 'mark' ? [event.name] : []));
        expect(names).toEqual(Array.from({ length: seldom.marks }, (_, index) => String(index)));
      }),
    );
  });

  it('is silent within a frame of a clear', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const it = buffer();
        play(it, script, false);
        for (const { atMs, silentAtMs } of it.clears) {
          if (silentAtMs === undefined) continue;
          expect(silentAtMs - atMs).toBeGreaterThanOrEqual(-1e-6);
          expect(silentAtMs - atMs).toBeLessThan(20);
        }
      }),
    );
  });
});
