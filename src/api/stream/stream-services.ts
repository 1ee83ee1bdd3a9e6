import type { SpeechError } from '../../domain/errors.ts';
import type { LiveWorkRegistry } from '../../domain/live-work.ts';
import type { SpeechLog, SpeechServices } from '../../synthesis/speech/speech-services.ts';
import type { MessageDirection } from '../websocket/socket-session.ts';

/** What the websockets need of the rest of the server. */
export interface StreamServices {
  readonly speech: SpeechServices;
  readonly connections: LiveWorkRegistry;
  readonly telemetry: StreamTelemetry;
  /** A client that leaves its audio unread for this long is cut; 10 000 unless given. */
  readonly writeDeadlineMs?: number;
  /** How often keys are confirmed, of connections that may be silent; 15 000 unless given. */
  readonly confirmIntervalMs?: number;
}

/** Where the events of connections are told; each with a log that carries the request's id. */
export interface StreamTelemetry {
  connectionOpened(): void;
  message(direction: MessageDirection): void;
  connectionEnded(log: SpeechLog, error: SpeechError | undefined, traceId: string): void;
}
