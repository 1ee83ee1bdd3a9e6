import { describe, expect, it } from 'vitest';
import { Telemetry } from '../../../src/telemetry/telemetry.ts';

const CHUNK = {
  chunkNumber: 3,
  chars: 40,
  audioMs: 2000,
  isAwaited: true,
  firstFrameMs: 35.12345,
};
const TIMINGS = { queueMs: 1, textMs: 5, firstBlockMs: 20, synthMs: 100 };

function newTelemetry() {
  const telemetry = new Telemetry(() => ({
    queuedSteps: 1,
    liveJobs: 2,
    workingJobs: 1,
    ratedStreams: 17,
    respawns: 3,
    realTimeFactor: 0.5,
  }));
  const lines: Array<{ level: string; fields: object; message: string }> = [];
  const log = {
    info: (fields: object, message: string) => void lines.push({ level: 'info', fields, message }),
    warn: (fields: object, message: string) => void lines.push({ level: 'warn', fields, message }),
  };
  const value = async (series: string) => {
    const { body } = await telemetry.exposition();
    return Number(
      body
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  };
  return { telemetry, log, lines, value };
}

describe('Telemetry', () => {
  it('tells what a chunk took, in one line and in its metrics', async () => {
    const { telemetry, log, lines, value } = newTelemetry();
    telemetry.chunkSpoken(log, 3, { ...CHUNK, timings: TIMINGS }, 'connection-3');
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'chunk spoken',
        fields: {
          traceId: 'connection-3',
          level: 3,
          chars: 40,
          audioMs: 2000,
          firstFrameMs: 35.123,
          isAwaited: true,
          realTimeFactor: 0.05,
          ...TIMINGS,
        },
      },
    ]);
    expect(await value('sidetone_chunks_total{outcome="spoken"}')).toBe(1);
    expect(await value('sidetone_characters_total')).toBe(40);
    expect(await value('sidetone_audio_seconds_total')).toBe(2);
    expect(await value('sidetone_synthesis_seconds_total')).toBe(0.1);
    expect(await value('sidetone_chunk_synthesis_seconds_sum')).toBe(0.1);
    expect(await value('sidetone_queue_seconds_count')).toBe(1);
    expect(await value('sidetone_first_frame_seconds_bucket{le="0.04",level="3"}')).toBe(1);
    expect(await value('sidetone_first_frame_seconds_bucket{le="0.02",level="3"}')).toBe(0);
  });

  it('counts the first frame of those only who wait for it', async () => {
    const { telemetry, log, value } = newTelemetry();
    telemetry.chunkSpoken(log, 0, { ...CHUNK, isAwaited: false, timings: TIMINGS });
    expect(await value('sidetone_first_frame_seconds_count{level="0"}')).toBeNaN();
    telemetry.chunkCut(log, 0, CHUNK);
    expect(await value('sidetone_first_frame_seconds_count{level="0"}')).toBe(1);
  });

  it('tells what was heard of a chunk that was cut', async () => {
    const { telemetry, log, lines, value } = newTelemetry();
    telemetry.chunkCut(log, 1, CHUNK, 'connection-3');
    expect(lines).toMatchObject([
      { message: 'chunk cut', fields: { traceId: 'connection-3', chars: 40, audioMs: 2000 } },
    ]);
    expect(await value('sidetone_chunks_total{outcome="cut"}')).toBe(1);
    expect(await value('sidetone_queue_seconds_count')).toBe(0);
  });

  it('counts connections, how they end, and their messages', async () => {
    const { telemetry, log, lines, value } = newTelemetry();
    for (let connection = 0; connection < 3; connection++) telemetry.connectionOpened();
    telemetry.message('in');
    telemetry.message('out');
    telemetry.message('out');
    telemetry.connectionEnded(log, undefined, 'one-0');
    telemetry.connectionEnded(log, { code: 'quota_exceeded' }, 'two-4');
    expect(await value('sidetone_connections')).toBe(1);
    expect(await value('sidetone_connections_ended_total{code="none"}')).toBe(1);
    expect(await value('sidetone_connections_ended_total{code="quota_exceeded"}')).toBe(1);
    expect(await value('sidetone_messages_total{direction="in"}')).toBe(1);
    expect(await value('sidetone_messages_total{direction="out"}')).toBe(2);
    expect(lines).toMatchObject([
      { level: 'info', message: 'stream ended', fields: { traceId: 'one-0' } },
      { level: 'warn', message: 'stream failed', fields: { traceId: 'two-4' } },
    ]);
  });

  it('shows what the engine says of itself', async () => {
    const { value } = newTelemetry();
    expect(await value('sidetone_engine_live_jobs')).toBe(2);
    expect(await value('sidetone_engine_working_jobs')).toBe(1);
    expect(await value('sidetone_engine_rated_streams')).toBe(17);
    expect(await value('sidetone_engine_real_time_factor')).toBe(0.5);
  });
});
