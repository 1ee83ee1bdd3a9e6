import { connect, type Socket } from 'node:net';
import { PhoneError } from './phone-error.ts';
import type { OpenTransport, TransportListener } from './transport.ts';

const CONNECT_MS = 10_000;
const HEADER_BYTES = 3;

/** A TCP connection that carries AudioSocket packets: a byte of type, two of length, the payload. */
export function tcpTransport(host: string, port: number): OpenTransport {
  return (listener) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, timeout: CONNECT_MS });
      const unreachable = (cause: unknown) => {
        reject(new PhoneError('unreachable', `Nobody answers at ${host}:${port}.`, { cause }));
        socket.destroy();
      };
      socket.once('timeout', () => unreachable(new Error('No answer in time.')));
      socket.once('error', unreachable);
      socket.once('connect', () => {
        socket.setTimeout(0);
        socket.off('error', unreachable);
        listen(socket, listener);
        resolve({
          send: (message) => {
            if (socket.writable) socket.write(message);
          },
          close: () => socket.end(),
        });
      });
    });
}

function listen(socket: Socket, listener: TransportListener): void {
  let pending = Buffer.alloc(0);
  let mishap: Error | undefined;
  socket.on('data', (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= HEADER_BYTES) {
      const length = HEADER_BYTES + pending.readUInt16BE(1);
      if (pending.length < length) break;
      listener.message(Uint8Array.from(pending.subarray(0, length)));
      pending = pending.subarray(length);
    }
  });
  socket.on('error', (error) => {
    mishap = error;
  });
  socket.on('close', () => {
    const reason = `The server closed the connection. ${mishap?.message ?? ''}`.trim();
    listener.ended({ reason, isBroken: mishap !== undefined });
  });
}
