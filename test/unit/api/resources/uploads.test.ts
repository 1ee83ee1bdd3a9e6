import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allowForms, readForm } from '../../../../src/api/http/multipart-form.ts';
import { wireError } from '../../../../src/api/http/wire-error.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { UploadedFile } from '../../../../src/domain/uploaded-file.ts';
import { TemporaryFiles } from '../../../../src/service/uploads/temporary-files.ts';
import { UploadLimiter } from '../../../../src/service/uploads/upload-limiter.ts';
import { Uploads } from '../../../../src/service/uploads/uploads.ts';
import { type FormPart, multipartBody } from '../../../support/multipart-body.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const MEBIBYTE = 2 ** 20;
const FORM_LIMITS = {
  fileField: 'file',
  files: 2,
  fileBytes: 30 * MEBIBYTE,
  totalBytes: 30 * MEBIBYTE,
};
const QUICK = { bytesPerS: 1000, windowMs: 200 };
const UNHURRIED = { bytesPerS: 1, windowMs: 60_000 };

/** A server that takes forms, and what it has of them. */
async function openServer(freeBytes = Number.POSITIVE_INFINITY, slowest = QUICK) {
  const folder = temporaryDir();
  const limiter = new UploadLimiter({
    ofAccount: { uploads: 4, bytes: 256 * MEBIBYTE },
    inAll: { uploads: 8, bytes: 256 * MEBIBYTE },
  });
  const assertRoomFor = async (bytes: number) => {
    if (bytes > freeBytes) throw new SpeechError('insufficient_storage', 'The disk is full.');
  };
  const files = new TemporaryFiles(join(folder, 'uploads'));
  const uploads = new Uploads({ limiter, files, freeSpace: { assertRoomFor } });
  const app = Fastify();
  app.setErrorHandler((thrown, request, reply) => {
    const { http, body } = wireError(thrown, request.id);
    reply.code(http).send(body);
  });
  await allowForms(app);
  app.post('/', async (request) => {
    await readForm(request, String(request.headers['x-account']), uploads, FORM_LIMITS, slowest);
    const { file = [] } = request.body as { file?: readonly UploadedFile[] };
    return { sizes: file.map(({ sizeBytes }) => sizeBytes) };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const idle = async () => {
    while (limiter.size > 0) await sleep(5);
    const left = () => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  };
  return { port, limiter, idle };
}

function file(sizeBytes: number): FormPart {
  return { name: 'file', fileName: 'a', value: Buffer.alloc(sizeBytes, 'x') };
}

/** Sends a form whole. @returns the status and the code of the reply. */
function send(
  port: number,
  account: string,
  { payload, headers }: ReturnType<typeof multipartBody>,
) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sending = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        headers: { ...headers, 'x-account': account, 'content-length': payload.length },
      },
      (response) => {
        let text = '';
        response.on('data', (data) => (text += data));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    sending.on('error', reject);
    sending.end(payload);
  });
}

/** Begins a form and stops within its file. @returns what the server says to that. */
function stall(port: number, lengthBytes: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const { payload, headers } = multipartBody([file(1000)]);
  socket.write(
    `POST / HTTP/1.1\r\nhost: a\r\nx-account: a\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${lengthBytes}\r\n\r\n`,
  );
  socket.write(payload.subarray(0, 500));
  const said = new Promise<string>((resolve) => socket.once('data', (data) => resolve(`${data}`)));
  return { socket, said };
}

describe('an upload', () => {
  it('lies on the disk until its request is answered, and nowhere then', async () => {
    const { port, idle } = await openServer();
    const reply = await send(port, 'a', multipartBody([file(3), file(MEBIBYTE)]));
    expect(JSON.parse(reply.text)).toEqual({ sizes: [3, MEBIBYTE] });
    await idle();
  });

  it('is refused for its length, or for want of disk, before any of it is read', async () => {
    const { port, limiter } = await openServer(20 * MEBIBYTE);
    const tooLong = stall(port, 31 * MEBIBYTE);
    expect(await tooLong.said).toMatch(/413.*message_too_big/s);
    const tooMuch = stall(port, 21 * MEBIBYTE);
    expect(await tooMuch.said).toMatch(/507.*insufficient_storage/s);
    expect(limiter.size).toBe(0);
  });

  it('is given up when it comes too slowly, and tells so', async () => {
    const { port, idle } = await openServer();
    const { said } = stall(port, 1000);
    expect(await said).toMatch(/408.*client_too_slow/s);
    await idle();
  });

  it('leaves nothing behind when its sender goes away', async () => {
    const { port, limiter, idle } = await openServer(undefined, UNHURRIED);
    const { socket } = stall(port, 1000);
    while (limiter.size === 0) await sleep(5);
    socket.destroy();
    await idle();
  });

  it('is one of few at a time, so that memory stays what it was', async () => {
    const { port, idle } = await openServer(undefined, UNHURRIED);
    const form = multipartBody([file(3 * MEBIBYTE)]);
    const before = memoryBytes();
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, memoryBytes())), 5);
    onTestFinished(() => clearInterval(timer));
    const replies = await Promise.all(
      Array.from({ length: 120 }, (_, index) => send(port, `account ${index % 30}`, form)),
    );
    const statuses = new Map<number | undefined, number>();
    for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect([...statuses.keys()].every((status) => status === 200 || status === 429)).toBe(true);
    expect(statuses.get(200)).toBeGreaterThanOrEqual(8);
    // All 120 forms together have 360 MiB; the one that is sent lies in memory from the start.
    expect(most - before).toBeLessThan(100 * MEBIBYTE);
    await idle();
  }, 120_000);
});

function memoryBytes(): number {
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return heapUsed + Math.max(arrayBuffers, external);
}
