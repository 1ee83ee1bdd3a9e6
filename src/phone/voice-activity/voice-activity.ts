import { SpeechError } from '../../domain/errors.ts';
import { SupervisedThread } from '../../threads/supervised-thread.ts';
import { threadEntry } from '../../threads/thread-entry.ts';
import { type SpeechEdge, SpeechEdges } from './speech-edges.ts';
import {
  type FromThread,
  SILERO_WINDOWS,
  type SileroRate,
  type ToThread,
} from './voice-activity-protocol.ts';

/** Windows of one listener that may be unanswered: a second. What comes then is left out. */
const MOST_UNANSWERED = 32;

/** Listens to one caller. */
export interface VoiceListener {
  readonly sampleRate: SileroRate;
  /** @param samples the next ones, −1…1; not kept. */
  hear(samples: Float32Array): void;
  /** Idempotent; no edge is told any more. */
  close(): void;
}

/** Finds out when callers speak. One thread hears them all. */
export interface VoiceActivity {
  /** @param sampleRate of the caller's audio; the nearest one that can be heard is chosen. */
  listen(sampleRate: number, onEdge: (edge: SpeechEdge) => void): VoiceListener;
  close(): Promise<void>;
}

/**
 * Starts the thread; resolves when it can hear.
 * @throws SpeechError `voice_file_corrupt` when the file is not the model.
 */
export async function openVoiceActivity(modelPath: string): Promise<VoiceActivity> {
  const voiceActivity = new SileroVoiceActivity(modelPath);
  try {
    await voiceActivity.ready;
  } catch (thrown) {
    await voiceActivity.close();
    throw thrown;
  }
  return voiceActivity;
}

interface Listening {
  readonly edges: SpeechEdges;
  readonly onEdge: (edge: SpeechEdge) => void;
  unanswered: number;
}

class SileroVoiceActivity implements VoiceActivity {
  readonly ready: Promise<void>;
  readonly #thread: SupervisedThread<ToThread, FromThread>;
  readonly #listening = new Map<number, Listening>();
  #settleReady: ((error?: SpeechError) => void) | undefined;
  #state: 'starting' | 'ready' | 'failed' = 'starting';
  #unanswered = 0;
  #onQuiet: (() => void) | undefined;
  #listeners = 0;

  constructor(modelPath: string) {
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = (error) => (error ? reject(error) : resolve());
    });
    this.#thread = new SupervisedThread({
      entry: threadEntry('phone/voice-activity/voice-activity-worker.ts'),
      name: 'voice-activity',
      workerData: { modelPath },
      onStart: () => undefined,
      onMessage: (message) => this.#receive(message, modelPath),
      onCrash: () => this.#crashed(),
    });
  }

  listen(callerRate: number, onEdge: (edge: SpeechEdge) => void): VoiceListener {
    const sampleRate: SileroRate = callerRate <= 8000 ? 8000 : 16000;
    const window = new Float32Array(SILERO_WINDOWS[sampleRate]);
    const listenerId = this.#listeners++;
    const edges = new SpeechEdges((1000 * window.length) / sampleRate);
    this.#listening.set(listenerId, { edges, onEdge, unanswered: 0 });
    let filled = 0;
    const hear = (samples: Float32Array): void => {
      for (let at = 0; at < samples.length; ) {
        const part = samples.subarray(at, at + window.length - filled);
        window.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled < window.length) return;
        filled = 0;
        this.#ask({ type: 'window', listenerId, sampleRate, samples: window.slice() });
      }
    };
    return { sampleRate, hear, close: () => this.#forget(listenerId) };
  }

  /** Waits until the thread is out of the runtime's code: ending it there would end the process. */
  async close(): Promise<void> {
    this.#listening.clear();
    if (this.#state === 'starting' || this.#unanswered > 0) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve;
      });
    }
    await this.#thread.close();
  }

  #ask(message: Extract<ToThread, { type: 'window' }>): void {
    const listening = this.#listening.get(message.listenerId);
    if (this.#state !== 'ready' || !listening || listening.unanswered >= MOST_UNANSWERED) return;
    listening.unanswered++;
    this.#unanswered++;
    this.#thread.post(message, [message.samples.buffer as ArrayBuffer]);
  }

  #forget(listenerId: number): void {
    if (this.#listening.delete(listenerId)) this.#thread.post({ type: 'forget', listenerId });
  }

  #receive(message: FromThread, modelPath: string): void {
    if (message.type === 'heard') {
      this.#unanswered--;
      const listening = this.#listening.get(message.listenerId);
      if (listening) {
        listening.unanswered--;
        const edge = listening.edges.push(message.probability);
        if (edge) listening.onEdge(edge);
      }
    } else {
      this.#state = message.type;
      this.#settleReady?.(
        message.type === 'ready' ? undefined : unusable(modelPath, message.reason),
      );
    }
    if (this.#unanswered === 0) this.#onQuiet?.();
  }

  #crashed(): void {
    this.#state = 'starting';
    this.#unanswered = 0;
    for (const listening of this.#listening.values()) listening.unanswered = 0;
    this.#onQuiet?.();
  }
}

function unusable(modelPath: string, reason: string): SpeechError {
  return new SpeechError(
    'voice_file_corrupt',
    `${modelPath} cannot be used to hear when callers speak: ${reason} Delete it and run: node models/setup.mjs fetch silero-vad`,
  );
}
