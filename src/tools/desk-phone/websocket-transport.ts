import { WebSocket } from 'ws';
import { PhoneError } from './phone-error.ts';
import type { OpenTransport, Transport, TransportListener } from './transport.ts';

const HANDSHAKE_MS = 10_000;
const NORMAL_CLOSE = 1000;
/** As much of a refusal as is worth showing. */
const REFUSAL_CHARACTERS = 300;

/** A websocket as carriers open it. */
export function websocketTransport(
  url: URL,
  headers: Readonly<Record<string, string>>,
): OpenTransport {
  return (listener) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, {
        headers,
        perMessageDeflate: false,
        handshakeTimeout: HANDSHAKE_MS,
      });
      let isOpen = false;
      socket.on('open', () => {
        isOpen = true;
        resolve(transportOf(socket));
      });
      socket.on('unexpected-response', (_request, response) => {
        response.toArray().then(
          (chunks) => {
            const text = Buffer.concat(chunks).toString().slice(0, REFUSAL_CHARACTERS);
            reject(refused(url, response.statusCode ?? 0, text));
            socket.terminate();
          },
          (cause: unknown) => reject(unreachable(url, cause)),
        );
      });
      // A failure after the opening is followed by a close, which tells the listener.
      socket.on('error', (cause) => reject(unreachable(url, cause)));
      listen(socket, listener, () => isOpen);
    });
}

function listen(socket: WebSocket, listener: TransportListener, isOpen: () => boolean): void {
  socket.on('message', (data, isBinary) => {
    const bytes = data as Buffer;
    listener.message(isBinary ? bytes : bytes.toString());
  });
  socket.on('close', (code, reason) => {
    if (!isOpen()) return;
    const text = `The server closed the connection (${code}). ${reason.toString()}`.trim();
    listener.ended({ reason: text, isBroken: code !== NORMAL_CLOSE && code !== 1005 });
  });
}

function transportOf(socket: WebSocket): Transport {
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    close: () => socket.close(NORMAL_CLOSE),
  };
}

function refused(url: URL, status: number, text: string): PhoneError {
  return new PhoneError(
    'refused',
    `${address(url)} refused the call with status ${status}. ${text}`.trim(),
    { status },
  );
}

function unreachable(url: URL, cause: unknown): PhoneError {
  return new PhoneError('unreachable', `Nobody answers at ${address(url)}.`, { cause });
}

/** Without the query, in which there may be a key. */
function address(url: URL): string {
  return `${url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin}${url.pathname}`;
}
