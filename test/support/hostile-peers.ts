import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { frameBytes, RawWebSocket } from './raw-websocket.ts';

/** A connection on which so much has been written, and no more. */
export async function openSocket(url: string, text = ''): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  // Unread, it would not be seen to close.
  socket.resume();
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const HALF_HEADER = 'GET /v1/voices HTTP/1.1\r\nHost: ';

/** A request whose body is announced, and half of it sent. */
function halfBody(key: string): string {
  const head = ['POST /v1/text-to-speech/x HTTP/1.1', 'Host: x', `xi-api-key: ${key}`];
  const body = ['content-type: application/json', 'content-length: 100', '', '{"text":'];
  return [...head, ...body].join('\r\n');
}

/** What a kept-alive connection looks like once it has been answered. */
async function idle(url: string): Promise<Socket> {
  const socket = await openSocket(url, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** A websocket on which a frame of 100 bytes has begun. */
async function halfFrame(streamUrl: string, key: string): Promise<Socket> {
  const { socket } = await RawWebSocket.open(streamUrl, { 'xi-api-key': key });
  socket.write(frameBytes({ payload: ' '.repeat(100) }).subarray(0, 20));
  return socket;
}

/** A websocket that asks for an hour of speech and reads nothing of it. */
async function unreadStream(streamUrl: string, key: string): Promise<Socket> {
  const { socket } = await RawWebSocket.open(streamUrl, { 'xi-api-key': key });
  const text = 'This is never heard, because nobody reads it. '.repeat(100);
  for (let time = 0; time < 5; time++) {
    socket.write(frameBytes({ payload: JSON.stringify({ text, flush: true }) }));
  }
  socket.pause();
  return socket;
}

/** Peers that have nothing left to be waited for: a shutdown lets none of them delay it. */
export function silentPeers(url: string, streamUrl: string, key: string): Promise<Socket[]> {
  return Promise.all([
    openSocket(url),
    openSocket(url, HALF_HEADER),
    idle(url),
    halfFrame(streamUrl, key),
  ]);
}

/** Peers that could be waited for, and never come to an end. */
export function endlessPeers(url: string, streamUrl: string, key: string): Promise<Socket[]> {
  return Promise.all([openSocket(url, halfBody(key)), unreadStream(streamUrl, key)]);
}
