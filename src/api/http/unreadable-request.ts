import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SpeechError } from '../../domain/errors.ts';
import { wireError } from './wire-error.ts';

/** What Node's HTTP parser says of bytes that it cannot read as a request. */
export interface UnreadableRequest extends Error {
  readonly code?: string;
}

/** Answers what is no HTTP request at all, in the shape of every other refusal, and hangs up. */
export function refuseUnreadable(error: UnreadableRequest, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  refuseConnection(refusalOf(error), socket);
}

/** Answers whatever comes on a connection, and hangs up. */
export function refuseConnection(error: SpeechError, socket: Socket): void {
  const { http, body, retryAfterS } = wireError(error, randomUUID());
  const json = JSON.stringify(body);
  if (socket.writable) {
    socket.write(
      [
        `HTTP/1.1 ${http} ${STATUS_CODES[http]}`,
        'connection: close',
        'x-content-type-options: nosniff',
        ...(retryAfterS === undefined ? [] : [`retry-after: ${retryAfterS}`]),
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(json)}`,
        '',
        json,
      ].join('\r\n'),
    );
  }
  socket.destroySoon();
}

function refusalOf(error: UnreadableRequest): SpeechError {
  switch (error.code ?? '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new SpeechError('input_timeout_exceeded', 'The request did not arrive in time.', {
        cause: error,
      });
    case 'HPE_HEADER_OVERFLOW':
      return new SpeechError(
        'message_too_big',
        'The address and headers of the request are larger than 16 KiB. Send less.',
        { cause: error },
      );
    default:
      return new SpeechError('invalid_parameters', 'This is not an HTTP request.', {
        cause: error,
      });
  }
}
