import { randomBytes } from 'node:crypto';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { download } from '../../../models/setup/download.mjs';
import { networkOf } from '../../../models/setup/network.mjs';
import { sendBroken, sendFile, serve } from './local-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const content = randomBytes(300_000);

function request(
  origin: string,
  folder: string,
  more: Partial<Parameters<typeof download>[0]> = {},
) {
  return {
    url: new URL('/voice.onnx', origin),
    part: path.join(folder, 'voice.part'),
    network: networkOf(new Map(), {}),
    onProgress: () => undefined,
    firstPauseMs: 1,
    ...more,
  };
}

describe('download', () => {
  it('fetches a file and reports how far it is', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((asked, response) => sendFile(asked, response, content));
    const seen: [number, number | undefined][] = [];
    const onProgress = (received: number, total: number | undefined) =>
      seen.push([received, total]);
    const wanted = request(server.origin, folder.path, { onProgress });
    expect(await download(wanted)).toEqual({ resumed: false });
    expect((await readFile(wanted.part)).equals(content)).toBe(true);
    expect(seen.at(-1)).toEqual([content.length, content.length]);
  });

  it('resumes after a broken connection with a range', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((asked, response) => {
      if (server.requests.length === 1) sendBroken(response, content, 100_000);
      else sendFile(asked, response, content);
    });
    const wanted = request(server.origin, folder.path);
    expect(await download(wanted)).toEqual({ resumed: true });
    expect((await readFile(wanted.part)).equals(content)).toBe(true);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.headers.range).toBe('bytes=100000-');
    expect(server.requests[1]?.headers['if-range']).toBe('"v1"');
  });

  it('resumes what an earlier run left, also when that was already the whole file', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((asked, response) => sendFile(asked, response, content));
    const wanted = request(server.origin, folder.path);
    await download(wanted);
    expect(await download(wanted)).toEqual({ resumed: true });
    await writeFile(wanted.part, content.subarray(0, 5));
    expect(await download(wanted)).toEqual({ resumed: true });
    expect((await readFile(wanted.part)).equals(content)).toBe(true);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=300000-',
      'bytes=5-',
    ]);
  });

  it('resumes from a server without validators, since the caller checks the result', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((asked, response) => {
      const start = Number(/\d+/.exec(asked.headers.range ?? '')?.[0] ?? 0);
      const range = `bytes ${start}-${content.length - 1}/${content.length}`;
      const headers = {
        'content-length': content.length - start,
        'content-range': range,
      };
      response.writeHead(start === 0 ? 200 : 206, headers).end(content.subarray(start));
    });
    const wanted = request(server.origin, folder.path);
    await download(wanted);
    await writeFile(wanted.part, content.subarray(0, 7));
    expect(await download(wanted)).toEqual({ resumed: true });
    expect((await readFile(wanted.part)).equals(content)).toBe(true);
    const ranges = server.requests.map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, 'bytes=7-']);
  });

  it('starts again when the server ignores ranges', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((_, response) => {
      if (server.requests.length === 1) sendBroken(response, content, 100_000);
      else response.writeHead(200, { 'content-length': content.length }).end(content);
    });
    const wanted = request(server.origin, folder.path);
    expect(await download(wanted)).toEqual({ resumed: false });
    expect((await readFile(wanted.part)).equals(content)).toBe(true);
  });

  it('starts again when the file changed on the server', async () => {
    await using folder = await temporaryFolder();
    const newer = randomBytes(200_000);
    await using server = await serve((asked, response) => {
      if (server.requests.length === 1) sendBroken(response, content, 100_000);
      else sendFile(asked, response, newer, '"v2"');
    });
    const wanted = request(server.origin, folder.path);
    await download(wanted);
    expect((await readFile(wanted.part)).equals(newer)).toBe(true);
  });

  it('starts again when a server answers another range than asked', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((asked, response) => {
      if (server.requests.length === 1) return sendBroken(response, content, 100_000);
      if (asked.headers.range === undefined) return sendFile(asked, response, content);
      const headers = {
        'content-range': `bytes 7-${content.length - 1}/${content.length}`,
      };
      response.writeHead(206, headers).end(content.subarray(7));
    });
    const wanted = request(server.origin, folder.path);
    await download(wanted);
    expect((await readFile(wanted.part)).equals(content)).toBe(true);
    expect(server.requests).toHaveLength(3);
  });

  it('tries passing faults a bounded number of times, and lasting ones once', async () => {
    await using folder = await temporaryFolder();
    await using busy = await serve((_, response) => response.writeHead(503).end());
    await expect(download(request(busy.origin, folder.path))).rejects.toThrow('answered 503');
    expect(busy.requests).toHaveLength(4);
    await using absent = await serve((_, response) => response.writeHead(404).end());
    await expect(download(request(absent.origin, folder.path))).rejects.toThrow('answered 404');
    expect(absent.requests).toHaveLength(1);
  });

  it('arrives over a line that breaks more often than the bound, while each try gets further', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((asked, response) => {
      const start = Number(/\d+/.exec(asked.headers.range ?? '')?.[0] ?? 0);
      const status = start === 0 ? 200 : 206;
      response.writeHead(status, {
        etag: '"v1"',
        'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
        'content-length': content.length - start,
      });
      const end = start + 40_000;
      if (end >= content.length) response.end(content.subarray(start));
      else
        response.write(content.subarray(start, end), () =>
          setTimeout(() => response.destroy(), 20),
        );
    });
    const wanted = request(server.origin, folder.path);
    await download(wanted);
    expect((await readFile(wanted.part)).equals(content)).toBe(true);
    expect(server.requests.length).toBeGreaterThan(4);
  });

  it.skipIf(process.platform !== 'linux')(
    'says how much space is missing where, on a full disk',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await serve((asked, response) => sendFile(asked, response, content));
      const wanted = request(server.origin, folder.path);
      // The kernel answers every write to this device with ENOSPC.
      await symlink('/dev/full', wanted.part);
      const message = `No space left: 0.3 MiB are needed in ${folder.path}`;
      await expect(download(wanted)).rejects.toThrow(message);
      expect(server.requests).toHaveLength(1);
    },
  );

  it('refuses before writing when the disk cannot take the file', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve((asked, response) => sendFile(asked, response, content));
    const wanted = request(server.origin, folder.path, {
      reserveBytes: 2 ** 60,
    });
    await expect(download(wanted)).rejects.toThrow(/are needed in .*MiB are free.*Free some space/);
  });
});
