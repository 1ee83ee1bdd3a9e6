import { Counter, Gauge, Histogram } from 'prom-client';
import type { SpeechLog } from '../synthesis/speech/speech-services.ts';
import type { Telemetry } from './telemetry.ts';

/** Seconds; from a wrong number to a long consultation. */
const CALL_BUCKETS_S = [5, 15, 30, 60, 120, 300, 600, 1800, 3600];

interface CallError {
  readonly code: string;
  readonly cause?: unknown;
}

/** How a call went. */
interface Outcome {
  readonly carrier: string;
  readonly reason: string;
  readonly durationMs: number;
  readonly characters: number;
}

/** The business events of phone calls; what is spoken on them `Telemetry` counts with all other speech. */
export class CallTelemetry {
  readonly #live: Gauge<'carrier'>;
  readonly #ended: Counter<'carrier' | 'reason' | 'code'>;
  readonly #refused: Counter<'carrier' | 'code'>;
  readonly #duration: Histogram;

  constructor({ registry }: Telemetry) {
    const registers = [registry];
    this.#live = new Gauge({
      name: 'sidetone_calls',
      help: 'Phone calls that are going on, by carrier.',
      labelNames: ['carrier'],
      registers,
    });
    this.#ended = new Counter({
      name: 'sidetone_calls_ended_total',
      help: 'Phone calls that ended, by carrier, by who ended them, and by error code or "none".',
      labelNames: ['carrier', 'reason', 'code'],
      registers,
    });
    this.#refused = new Counter({
      name: 'sidetone_calls_refused_total',
      help: 'Carriers\' streams that never became a call, by carrier and error code or "none".',
      labelNames: ['carrier', 'code'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'sidetone_call_seconds',
      help: 'How long phone calls lasted.',
      buckets: CALL_BUCKETS_S,
      registers,
    });
  }

  callStarted(log: SpeechLog, carrier: string): void {
    this.#live.inc({ carrier });
    log.info({ carrier }, 'call started');
  }

  callEnded(log: SpeechLog, outcome: Outcome, error: CallError | undefined): void {
    const { carrier, reason, durationMs } = outcome;
    this.#live.dec({ carrier });
    this.#ended.inc({ carrier, reason, code: error?.code ?? 'none' });
    this.#duration.observe(durationMs / 1000);
    const fields = { ...outcome, durationMs: Math.round(durationMs) };
    if (error) log.warn({ ...fields, code: error.code, err: error.cause }, 'call failed');
    else log.info(fields, 'call ended');
  }

  callRefused(log: SpeechLog, carrier: string, error: CallError | undefined): void {
    this.#refused.inc({ carrier, code: error?.code ?? 'none' });
    if (error) log.warn({ carrier, code: error.code, err: error.cause }, 'call refused');
    else log.info({ carrier }, 'stream ended before its call began');
  }
}
