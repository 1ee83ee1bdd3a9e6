import { WebSocket } from 'ws';
import type { SpeechTarget } from './speech-socket.ts';

interface MultiFrame {
  readonly audio?: string | null;
  readonly contextId?: string;
  readonly error?: string;
}

/** A client of `multi-stream-input` that notes when each context was heard first. */
export class MultiSocket {
  readonly #socket: WebSocket;
  readonly #firstAudioMs = new Map<string, number>();
  readonly #watchers = new Set<() => void>();
  #end: string | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const atMs = performance.now();
      const { audio, contextId = '', error } = JSON.parse(String(data)) as MultiFrame;
      if (error !== undefined) this.#end = error;
      if (audio && !this.#firstAudioMs.has(contextId)) this.#firstAudioMs.set(contextId, atMs);
      this.#notify();
    });
    socket.on('close', (code) => {
      this.#end ??= `closed ${code}`;
      this.#notify();
    });
  }

  static async open(target: SpeechTarget): Promise<MultiSocket> {
    const query = new URLSearchParams({
      output_format: target.formatName,
      optimize_streaming_latency: String(target.level),
      model_id: target.modelId,
    });
    const socket = new WebSocket(
      `${target.origin}/v1/text-to-speech/${target.voiceId}/multi-stream-input?${query}`,
      { headers: { 'xi-api-key': target.apiKey }, perMessageDeflate: false },
    );
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new MultiSocket(socket);
  }

  /** Says a text in a context of its own, and closes that: no more text will come. */
  say(contextId: string, text: string): void {
    this.#socket.send(JSON.stringify({ text: `${text} `, context_id: contextId, flush: true }));
    this.#socket.send(JSON.stringify({ context_id: contextId, close_context: true }));
  }

  /** @returns when a context was heard first. @throws Error when the connection ends before. */
  async firstAudioMs(contextId: string): Promise<number> {
    while (true) {
      const atMs = this.#firstAudioMs.get(contextId);
      if (atMs !== undefined) return atMs;
      if (this.#end !== undefined) throw new Error(`The connection ended: ${this.#end}`);
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  hangUp(): void {
    this.#socket.terminate();
  }

  #notify(): void {
    const waiting = [...this.#watchers];
    this.#watchers.clear();
    for (const resolve of waiting) resolve();
  }
}
