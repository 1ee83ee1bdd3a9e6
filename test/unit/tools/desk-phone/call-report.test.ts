import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../../src/tools/desk-phone/call-report.ts';
import { reportHead, reportText } from '../../../../src/tools/desk-phone/report-text.ts';
import { callLog, run } from './phone-harness.ts';

describe('reportOf', () => {
  it('counts what was sent and heard', () => {
    const report = reportOf(
      callLog({
        arrivals: [
          { atMs: 212, bytes: 1600, queuedMs: 200 },
          { atMs: 300, bytes: 800, queuedMs: 212 },
        ],
        runs: [run(212, 512)],
      }),
    );
    expect(report).toMatchObject({
      firstAudioMs: 212,
      messages: 2,
      bytes: 2400,
      heardMs: 300,
      lead: { p50: 200, max: 212, driftMs: null },
    });
  });

  it('tells an underrun from a pause and from a clear', () => {
    const runs = [
      run(0, 100),
      run(150, 200),
      run(1199, 1300),
      run(2300, 2400, 'cut'),
      run(2450, 2500),
    ];
    expect(reportOf(callLog({ runs }))).toMatchObject({
      underruns: { count: 2, totalMs: 1049, longestMs: 999 },
      pauses: { count: 1, totalMs: 1000, longestMs: 1000 },
    });
  });

  it('does not call it an underrun when nothing has been said yet', () => {
    const silence = { startMs: 0, endMs: 100, audio: [new Uint8Array(800).fill(0xff)] };
    const runs = [{ ...silence, end: 'dry' as const }, run(300, 400), run(450, 500)];
    const report = reportOf(callLog({ runs, arrivals: [{ atMs: 0, bytes: 800, queuedMs: 100 }] }));
    expect(report).toMatchObject({
      firstAudioMs: 0,
      firstSoundMs: 300,
      underruns: { count: 1, totalMs: 50 },
      pauses: { count: 0 },
    });
    // A new opening after what was cut off, and after a pause.
    const again = { ...silence, startMs: 600, endMs: 700, end: 'dry' as const };
    const cut = [run(0, 500, 'cut'), again, run(900, 1000)];
    expect(reportOf(callLog({ runs: cut })).underruns.count).toBe(0);
    const later = { ...silence, startMs: 2000, endMs: 2100, end: 'dry' as const };
    expect(reportOf(callLog({ runs: [run(0, 500), later, run(2200, 2300)] }))).toMatchObject({
      underruns: { count: 0 },
      pauses: { count: 1 },
    });
  });

  it('does not call it an underrun when the bot stops for a caller on a carrier without clear', () => {
    const runs = [run(0, 2000), run(2140, 3000), run(3040, 4000)];
    const moments = [{ type: 'key' as const, atMs: 1950, label: '1' }];
    expect(reportOf(callLog({ runs, moments })).underruns).toMatchObject({ count: 1, totalMs: 40 });
    const clears = [{ atMs: 5000, silentAtMs: undefined, droppedMs: 0 }];
    expect(reportOf(callLog({ runs, moments, clears })).underruns.count).toBe(2);
  });

  it('does not take the rounding of times for a gap', () => {
    const runs = [run(0, 100), { ...run(100, 200), startMs: 100.01 }];
    expect(reportOf(callLog({ runs })).underruns.count).toBe(0);
  });

  it.each([
    [0, 0],
    [10, 50],
    [-5, -25],
  ])('sees a server gain %i ms a second in what waits', (gainPerSecond, driftMs) => {
    const arrivals = Array.from({ length: 400 }, (_, index) => ({
      atMs: 20 * index,
      bytes: 160,
      queuedMs: 400 + (gainPerSecond * 20 * index) / 1000,
    }));
    const report = reportOf(callLog({ arrivals, runs: [run(0, 8400)] }));
    expect(report.lead?.driftMs).toBeCloseTo(driftMs, 0);
  });

  it('says nothing of drift when all was sent at once', () => {
    const arrivals = [{ atMs: 0, bytes: 80_000, queuedMs: 10_000 }];
    expect(reportOf(callLog({ arrivals, runs: [run(0, 10_000)] })).lead?.driftMs).toBeNull();
  });

  it('tells when a caller who spoke was let speak, and when he was answered', () => {
    const report = reportOf(
      callLog({
        arrivals: [
          { atMs: 0, bytes: 160, queuedMs: 20 },
          { atMs: 1990, bytes: 160, queuedMs: 20 },
          { atMs: 2900, bytes: 160, queuedMs: 20 },
        ],
        runs: [run(0, 2060, 'cut'), run(2900, 3000)],
        clears: [{ atMs: 2050, silentAtMs: 2060, droppedMs: 300 }],
        moments: [
          { type: 'speech', atMs: 1500, label: '' },
          { type: 'key', atMs: 2500, label: '1' },
          { type: 'key', atMs: 2950, label: '2' },
        ],
      }),
    );
    expect(report.moments).toEqual([
      { type: 'speech', label: '', atMs: 1500, silentAfterMs: 560, answeredAfterMs: 1400 },
      { type: 'key', label: '1', atMs: 2500, silentAfterMs: null, answeredAfterMs: 400 },
      { type: 'key', label: '2', atMs: 2950, silentAfterMs: 50, answeredAfterMs: null },
    ]);
  });

  it('does not call it silence when the call ended first', () => {
    const report = reportOf(
      callLog({
        runs: [run(0, 2000, 'hang-up')],
        moments: [{ type: 'speech', atMs: 500, label: '' }],
      }),
    );
    expect(report.moments[0]).toMatchObject({ silentAfterMs: null, answeredAfterMs: null });
  });

  it('counts marks by what became of them', () => {
    const report = reportOf(
      callLog({
        marks: [
          { askedAtMs: 0, answeredAtMs: 10, isCleared: false },
          { askedAtMs: 0, answeredAtMs: 20, isCleared: true },
          { askedAtMs: 0, answeredAtMs: undefined, isCleared: false },
        ],
      }),
    );
    expect(report.marks).toEqual({ asked: 3, answered: 2, cleared: 1 });
  });
});

describe('reportText', () => {
  it('says everything in a line each', () => {
    const report = reportOf(
      callLog({
        durationMs: 4000,
        arrivals: [{ atMs: 212.4, bytes: 12_345, queuedMs: 380 }],
        runs: [run(212, 1000), run(1050, 2000, 'cut')],
        clears: [{ atMs: 1990, silentAtMs: 2000, droppedMs: 500 }],
        marks: [{ askedAtMs: 0, answeredAtMs: 10, isCleared: true }],
        moments: [{ type: 'key', atMs: 1500, label: '#' }],
        findings: [{ text: 'Something was odd.', firstAtMs: 1, count: 3 }],
      }),
    );
    expect(reportText(report)).toBe(
      [
        '  first audio  212 ms after the greeting, first sound after 212 ms',
        '  heard        1.74 s in 1 message, 12,345 bytes',
        '  underruns    1, 50 ms in all, longest 50 ms',
        '  pauses       none',
        '  lead         p50 380 ms, max 380 ms',
        '  marks        1 asked for, 1 answered, 1 of them by a clear',
        '  clear        at 1.99 s: silent after 10 ms, 0.50 s dropped',
        '  key #        at 1.50 s: silent after 500 ms, no answer',
        '  finding      Something was odd. (3 times)',
        '',
      ].join('\n'),
    );
    expect(reportHead(report, 'ws://host/path')).toBe(
      'twilio, ulaw_8000, ws://host/path\n4.00 s on the line. The caller hung up.\n',
    );
  });

  it('says so when there was nothing', () => {
    const text = reportText(reportOf(callLog()));
    expect(text).toContain('first audio  none');
    expect(text).toContain('findings     none');
  });
});
