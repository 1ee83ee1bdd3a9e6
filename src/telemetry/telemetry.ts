import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SpokenChunk } from '../speech/utterance.ts';

/** Seconds; dense where a conversation notices the difference. */
const LATENCY_BUCKETS_S = [0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2, 2.5, 5];

/** What the engine says about itself, for gauges. */
export interface EngineGauges {
  readonly queuedSteps: number;
  readonly liveJobs: number;
  readonly respawns: number;
  readonly realTimeFactor: number;
}

/** A logger that carries the ids of the connection. */
export interface EventLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * One method per business event: each moves its metrics and writes one log line. What customers say
 * is never a field of either.
 */
export class Telemetry {
  readonly #registry = new Registry();
  readonly #connections: Gauge;
  readonly #ended: Counter<'code'>;
  readonly #firstFrame: Histogram<'level'>;
  readonly #queue: Histogram;
  readonly #characters: Counter;
  readonly #audio: Counter;
  readonly #work: Counter;

  constructor(engineGauges: () => EngineGauges) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    const latency = { registers, buckets: LATENCY_BUCKETS_S };
    this.#connections = new Gauge({
      name: 'sidetone_connections',
      help: 'Open streaming websockets.',
      registers,
    });
    this.#ended = new Counter({
      name: 'sidetone_connections_ended_total',
      help: 'Streaming websockets that ended, by error code; "none" when all was well.',
      labelNames: ['code'],
      registers,
    });
    this.#firstFrame = new Histogram({
      name: 'sidetone_first_frame_seconds',
      help: 'From the cut of a chunk that a silent listener waits for to its first frame.',
      labelNames: ['level'],
      ...latency,
    });
    this.#queue = new Histogram({
      name: 'sidetone_queue_seconds',
      help: 'From asking the engine for a chunk to the start of its first step.',
      ...latency,
    });
    this.#characters = total('sidetone_characters_total', 'Characters spoken.', registers);
    this.#audio = total('sidetone_audio_seconds_total', 'Seconds of speech made.', registers);
    this.#work = total('sidetone_synthesis_seconds_total', 'Thread seconds spent.', registers);
    registerEngineGauges(this.#registry, engineGauges);
  }

  /** In the Prometheus text format. */
  async exposition(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  connectionOpened(): void {
    this.#connections.inc();
  }

  connectionEnded(log: EventLog, error: { code: string; cause?: unknown } | undefined): void {
    this.#connections.dec();
    this.#ended.inc({ code: error?.code ?? 'none' });
    if (error) log.warn({ code: error.code, err: error.cause }, 'stream failed');
    else log.info({}, 'stream ended');
  }

  chunkSpoken(log: EventLog, level: number, chunk: SpokenChunk): void {
    const { chars, audioMs, firstFrameMs, isAwaited, timings } = chunk;
    this.#characters.inc(chars);
    this.#audio.inc(audioMs / 1000);
    this.#work.inc(timings.synthMs / 1000);
    this.#queue.observe(timings.queueMs / 1000);
    if (isAwaited) this.#firstFrame.observe({ level }, firstFrameMs / 1000);
    const realTimeFactor = audioMs > 0 ? timings.synthMs / audioMs : 0;
    const fields = { level, chars, audioMs, firstFrameMs, isAwaited, realTimeFactor, ...timings };
    log.info(rounded(fields), 'chunk spoken');
  }
}

function total(name: string, help: string, registers: Registry[]): Counter {
  return new Counter({ name, help, registers });
}

const ENGINE_GAUGES: Readonly<Record<keyof EngineGauges, readonly [name: string, help: string]>> = {
  queuedSteps: ['sidetone_engine_queued_steps', 'Steps that wait for a worker.'],
  liveJobs: ['sidetone_engine_live_jobs', 'Chunks being spoken.'],
  respawns: ['sidetone_engine_respawns', 'Worker threads that died and were replaced.'],
  realTimeFactor: ['sidetone_engine_real_time_factor', 'CPU seconds for a second of speech.'],
};

function registerEngineGauges(registry: Registry, gauges: () => EngineGauges): void {
  for (const [key, [name, help]] of Object.entries(ENGINE_GAUGES)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(gauges()[key as keyof EngineGauges]);
      },
    });
  }
}

function rounded(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
    ]),
  );
}
