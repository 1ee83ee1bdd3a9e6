import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { runCli } from '../../../../src/tools/cli/program.ts';
import { CONFIGURED_SECRET, openApi } from '../../api/resources/api-harness.ts';

export type ClientFrame = Record<string, unknown>;

export interface SpokenRequest {
  readonly url: URL;
  readonly key: string | undefined;
  readonly frames: ClientFrame[];
}

/** The real REST server on a free port; `speak` plays the server's side of the websocket. */
export async function startServer(
  speak: (frame: ClientFrame, socket: WebSocket) => void = speakPcm,
): Promise<{ url: string; requests: SpokenRequest[] }> {
  const { app } = await openApi();
  const sockets = new WebSocketServer({ server: app.server });
  const requests: SpokenRequest[] = [];
  sockets.on('connection', (socket, { url = '/', headers }) => {
    const frames: ClientFrame[] = [];
    const key = headers['xi-api-key'] as string | undefined;
    requests.push({ url: new URL(url, 'ws://localhost'), key, frames });
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as ClientFrame;
      frames.push(frame);
      speak(frame, socket);
    });
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
  });
  return { url, requests };
}

/** A tenth of a second of 22 050 Hz PCM, in two pieces, once the client has said goodbye. */
export const PCM = Buffer.from(Int16Array.from({ length: 2205 }, (_, index) => index).buffer);

export function speakPcm(frame: ClientFrame, socket: WebSocket): void {
  if (frame['text'] !== '') return;
  for (const piece of [PCM.subarray(0, 1001), PCM.subarray(1001)]) {
    const audio = piece.toString('base64');
    socket.send(JSON.stringify({ audio, isFinal: null, alignment: null }));
  }
  socket.send(JSON.stringify({ audio: null, isFinal: true, alignment: null }));
  socket.close(1000);
}

/** Runs one command line, as a shell would with the configured key in its environment. */
export async function run(
  args: readonly string[],
  environment: Record<string, string | undefined> = {},
) {
  const stdout = new Collector();
  const stderr = new Collector();
  const code = await runCli(args, {
    environment: { SIDETONE_API_KEY: CONFIGURED_SECRET, ...environment },
    stdout,
    stderr,
  });
  return { code, stdout: stdout.bytes, out: stdout.bytes.toString(), err: stderr.bytes.toString() };
}

class Collector extends Writable {
  readonly #pieces: Uint8Array[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  override _write(piece: Uint8Array, _encoding: string, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }
}
