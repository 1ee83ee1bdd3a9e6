import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SpeechLog } from '../synthesis/speech/speech-services.ts';
import type { CutChunk, SpokenChunk } from '../synthesis/speech/spoken-chunk.ts';

/** Seconds; dense where a conversation notices the difference. */
const LATENCY_BUCKETS_S = [0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2, 2.5, 5];

/** What the engine says about itself, for gauges. */
export interface EngineGauges {
  readonly queuedSteps: number;
  readonly liveJobs: number;
  readonly workingJobs: number;
  readonly ratedStreams: number;
  readonly respawns: number;
  readonly realTimeFactor: number;
}

/**
 * One method per business event: each moves its metrics and writes one log line. What customers say
 * is never a field of either.
 */
export class Telemetry {
  /** For the metrics of other parts. */
  readonly registry = new Registry();
  readonly #connections: Gauge;
  readonly #ended: Counter<'code'>;
  readonly #messages: Counter<'direction'>;
  readonly #firstFrame: Histogram<'level'>;
  readonly #queue: Histogram;
  readonly #synthesis: Histogram;
  readonly #chunks: Counter<'outcome'>;
  readonly #characters: Counter;
  readonly #audio: Counter;
  readonly #work: Counter;

  constructor(engineGauges: () => EngineGauges) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
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
    this.#messages = new Counter({
      name: 'sidetone_messages_total',
      help: 'Messages on streaming websockets: "in" from clients, "out" to them.',
      labelNames: ['direction'],
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
    this.#synthesis = new Histogram({
      name: 'sidetone_chunk_synthesis_seconds',
      help: 'Thread time spent on a chunk.',
      ...latency,
    });
    this.#chunks = new Counter({
      name: 'sidetone_chunks_total',
      help: 'Chunks of text: "spoken" to their end, or "cut" in the middle.',
      labelNames: ['outcome'],
      registers,
    });
    this.#characters = total('sidetone_characters_total', 'Characters spoken.', registers);
    this.#audio = total('sidetone_audio_seconds_total', 'Seconds of speech made.', registers);
    this.#work = total('sidetone_synthesis_seconds_total', 'Thread seconds spent.', registers);
    registerEngineGauges(this.registry, engineGauges);
  }

  /** In the Prometheus text format. */
  async exposition(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.registry.contentType, body: await this.registry.metrics() };
  }

  connectionOpened(): void {
    this.#connections.inc();
  }

  message(direction: 'in' | 'out'): void {
    this.#messages.inc({ direction });
  }

  /** @param traceId of the message that told the client so. */
  connectionEnded(
    log: SpeechLog,
    error: { code: string; cause?: unknown } | undefined,
    traceId: string,
  ): void {
    this.#connections.dec();
    this.#ended.inc({ code: error?.code ?? 'none' });
    if (error) log.warn({ traceId, code: error.code, err: error.cause }, 'stream failed');
    else log.info({ traceId }, 'stream ended');
  }

  /** @param traceId of the messages that spoke the chunk; absent where no message carries one. */
  chunkSpoken(log: SpeechLog, level: number, chunk: SpokenChunk, traceId?: string): void {
    const { audioMs, timings } = chunk;
    this.#heard(level, chunk, 'spoken');
    this.#work.inc(timings.synthMs / 1000);
    this.#synthesis.observe(timings.synthMs / 1000);
    this.#queue.observe(timings.queueMs / 1000);
    const realTimeFactor = audioMs > 0 ? timings.synthMs / audioMs : 0;
    log.info(
      rounded({ ...line(level, chunk, traceId), realTimeFactor, ...timings }),
      'chunk spoken',
    );
  }

  /** A listener has heard a part of a chunk, and will not hear the rest. */
  chunkCut(log: SpeechLog, level: number, chunk: CutChunk, traceId?: string): void {
    this.#heard(level, chunk, 'cut');
    log.info(rounded(line(level, chunk, traceId)), 'chunk cut');
  }

  #heard(
    level: number,
    { chars, audioMs, isAwaited, firstFrameMs }: CutChunk,
    outcome: 'spoken' | 'cut',
  ): void {
    this.#chunks.inc({ outcome });
    this.#characters.inc(chars);
    this.#audio.inc(audioMs / 1000);
    if (isAwaited) this.#firstFrame.observe({ level }, firstFrameMs / 1000);
  }
}

/** What is told of a chunk; its text is not. */
function line(level: number, chunk: CutChunk, traceId: string | undefined) {
  const { chars, audioMs, firstFrameMs, isAwaited } = chunk;
  return { traceId, level, chars, audioMs, firstFrameMs, isAwaited };
}

function total(name: string, help: string, registers: Registry[]): Counter {
  return new Counter({ name, help, registers });
}

const ENGINE_GAUGES: Readonly<Record<keyof EngineGauges, readonly [name: string, help: string]>> = {
  queuedSteps: ['sidetone_engine_queued_steps', 'Steps that wait for a worker.'],
  liveJobs: ['sidetone_engine_live_jobs', 'Chunks being spoken, those that nobody reads included.'],
  workingJobs: ['sidetone_engine_working_jobs', 'Chunks that threads work on, or could.'],
  ratedStreams: ['sidetone_engine_rated_streams', 'Streams that may speak at once.'],
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
