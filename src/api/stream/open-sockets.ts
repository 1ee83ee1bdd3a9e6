import type { IncomingMessage } from 'node:http';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { MAX_PAYLOAD_BYTES } from '../websocket/bounded-socket.ts';

/** Makes the server accept websockets, and answer each upgrade with its request id. */
export async function openSockets(app: FastifyInstance): Promise<void> {
  const traceIds = new WeakMap<IncomingMessage, string>();
  app.addHook('onRequest', async (request) => {
    traceIds.set(request.raw, request.id);
  });
  await app.register(fastifyWebsocket, {
    // No compression: audio does not shrink, and each deflate context would cost 300 KB a socket.
    options: { maxPayload: MAX_PAYLOAD_BYTES, perMessageDeflate: false },
    // The websocket library has already sent the close code that a protocol violation calls for.
    errorHandler: (error, _socket, request) => {
      request.log.warn({ err: error }, 'websocket protocol error');
    },
    // Connections are drained by their owner, sentence by sentence, before the server closes.
    preClose: (done) => done(),
  });
  app.websocketServer.on('headers', (headers: string[], request: IncomingMessage) => {
    const traceId = traceIds.get(request);
    if (traceId !== undefined) headers.push(`x-trace-id: ${traceId}`);
  });
}
