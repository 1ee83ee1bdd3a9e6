import { WebSocket } from 'ws';

/** Where and how a stream speaks; what the query of the socket says. */
export interface SpeechTarget {
  /** `ws://host:port`. */
  readonly origin: string;
  readonly apiKey: string;
  readonly voiceId: string;
  readonly modelId: string;
  readonly formatName: string;
  /** `optimize_streaming_latency`, 0–4. */
  readonly level: number;
}

/** One websocket message with audio, as it came. */
export interface Arrival {
  /** `performance.now()` when the message was received. */
  readonly atMs: number;
  readonly audio: Uint8Array;
}

interface ServerFrame {
  readonly audio?: string | null;
  readonly isFinal?: boolean | null;
  readonly error?: string;
  readonly message?: string;
}

/** The server said no, or went away, before the end of the speech. */
export class SpeechRefused extends Error {
  /** The `error` of the frame that said so, or the close code. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.name = 'SpeechRefused';
    this.code = code;
  }
}

/** A client of `stream-input` that writes down when its audio came. */
export class SpeechSocket {
  readonly arrivals: Arrival[] = [];
  /** Resolves when the server has said its last word and closed with 1000. */
  readonly ended: Promise<void>;
  readonly #socket: WebSocket;
  #onArrival: (() => void) | undefined;
  #hasEnded = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.ended = new Promise((resolve, reject) => {
      let refusal: SpeechRefused | undefined;
      let isComplete = false;
      socket.on('message', (data) => {
        const atMs = performance.now();
        const frame = JSON.parse(String(data)) as ServerFrame;
        if (frame.error) refusal = new SpeechRefused(frame.error, frame.message ?? '');
        if (frame.isFinal) isComplete = true;
        if (!frame.audio) return;
        this.arrivals.push({ atMs, audio: Buffer.from(frame.audio, 'base64') });
        this.#onArrival?.();
      });
      socket.on('close', (code, reason) => {
        this.#hasEnded = true;
        this.#onArrival?.();
        if (!refusal && isComplete && code === 1000) resolve();
        else reject(refusal ?? new SpeechRefused(`closed ${code}`, String(reason)));
      });
    });
    // Whoever hangs up early does not wait for the end.
    this.ended.catch(() => {});
  }

  /**
   * Connects, initialises, and waits until the server has settled: none of that is measured.
   *
   * @throws SpeechRefused when the connection is not accepted.
   */
  static async open(target: SpeechTarget): Promise<SpeechSocket> {
    const query = new URLSearchParams({
      output_format: target.formatName,
      optimize_streaming_latency: String(target.level),
      model_id: target.modelId,
      inactivity_timeout: '180',
    });
    const socket = new WebSocket(
      `${target.origin}/v1/text-to-speech/${target.voiceId}/stream-input?${query}`,
      { headers: { 'xi-api-key': target.apiKey }, perMessageDeflate: false },
    );
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      // A failure after this is followed by a close, which says so to whoever waits.
      socket.on('error', ({ message }) => reject(new SpeechRefused('connection', message)));
    });
    const speech = new SpeechSocket(socket);
    speech.send({ text: ' ', voice_settings: { stability: 0.5, similarity_boost: 0.75 } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    return speech;
  }

  /** @returns false when the connection is closed, and there is nobody left to write to. */
  send(frame: Readonly<Record<string, unknown>>): boolean {
    const isOpen = this.#socket.readyState === WebSocket.OPEN;
    if (isOpen) this.#socket.send(JSON.stringify(frame));
    return isOpen;
  }

  /** Waits until `heard` says so of the arrivals, or the connection has ended. */
  async hears(heard: (arrivals: readonly Arrival[]) => boolean): Promise<void> {
    while (!this.#hasEnded && !heard(this.arrivals)) {
      await new Promise<void>((resolve) => {
        this.#onArrival = resolve;
      });
    }
  }

  /** Leaves as a caller does who puts the phone down. */
  hangUp(): void {
    this.#socket.terminate();
  }
}
