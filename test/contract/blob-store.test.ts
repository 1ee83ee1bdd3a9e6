import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { DiskBlobs } from '../../src/service/storage/blobs/disk-blobs.ts';
import { S3Blobs } from '../../src/service/storage/blobs/s3-blobs.ts';
import { parseS3Url } from '../../src/service/storage/blobs/s3-location.ts';
import { S3Server, SECRET_ACCESS_KEY } from '../support/s3-server.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { blobStoreContract } from './blob-store-contract.ts';

blobStoreContract('disk', async () => new DiskBlobs(join(temporaryDir(), 'blobs')));
blobStoreContract('S3', async () => openS3((await S3Server.start()).url()));

function openS3(url: string, spoolFolder = temporaryDir()): S3Blobs {
  return new S3Blobs(parseS3Url(url), spoolFolder);
}

function text(content: string): Readable {
  return Readable.from([Buffer.from(content)]);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

describe('blobs on disk', () => {
  it('spread over many folders, for their owner only', async () => {
    const folder = join(temporaryDir(), 'blobs');
    const store = new DiskBlobs(folder);
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
    for (const name of names) await store.put(`history/${name}`, text(name));
    expect(filesIn(folder).length).toBe(60);
    expect(readdirSync(join(folder, 'history')).length).toBeGreaterThan(30);
    for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      expect(statSync(join(folder, path)).mode & 0o077, path).toBe(0);
    }
  });

  it('leave nothing behind when content breaks off', async () => {
    const folder = join(temporaryDir(), 'blobs');
    const content = Readable.from(
      (function* () {
        yield Buffer.from('begun');
        throw new Error('broke');
      })(),
    );
    await expect(new DiskBlobs(folder).put('history/x', content)).rejects.toThrow('broke');
    expect(filesIn(folder)).toEqual([]);
  });

  it('clear away what a killed process left, and nothing that is still being written', async () => {
    const folder = join(temporaryDir(), 'blobs');
    const left = join(folder, '.unfinished', 'left');
    mkdirSync(join(folder, '.unfinished'), { recursive: true });
    writeFileSync(left, 'half');
    utimesSync(left, new Date(1000), new Date(1000));
    const store = new DiskBlobs(folder);
    async function* written() {
      yield Buffer.from('begun');
      await store.discardUnfinished(2000);
    }
    await store.put('history/x', written());
    expect(existsSync(left)).toBe(false);
    expect(await store.size('history/x')).toBe(5);
  });

  it('have nothing to clear away in a folder that is not there', async () => {
    const store = new DiskBlobs(join(temporaryDir(), 'none'));
    await expect(store.discardUnfinished(Date.now())).resolves.toBeUndefined();
  });
});

describe('blobs on S3', () => {
  it('are objects under the folder of the address, and leave no local copy', async () => {
    const server = await S3Server.start();
    const spoolFolder = temporaryDir();
    await openS3(server.url(), spoolFolder).put('history/x', text('content'));
    expect([...server.objects].map(([path, body]) => [path, String(body)])).toEqual([
      ['/bucket/some/folder/history/x', 'content'],
    ]);
    expect(filesIn(spoolFolder)).toEqual([]);
  });

  it('are put again when the store is busy for a moment', async () => {
    const server = await S3Server.start();
    server.failures.push(503, 500);
    const store = openS3(server.url());
    await store.put('history/x', text('content'));
    const found = await store.get('history/x');
    expect(found && String(await buffer(found))).toBe('content');
  });

  it('say who refused, and never with which secret', async () => {
    const server = await S3Server.start();
    const store = openS3(server.url({ secret: 'wrong-secret' }));
    const refusal = store.put('history/x', text('content'));
    await expect(refusal).rejects.toThrow(/refused PUT .*history\/x: 403 SignatureDoesNotMatch/);
    await expect(refusal).rejects.not.toThrow(/wrong-secret/);
    expect(server.objects.size).toBe(0);
  });

  it('tell a bucket that is missing from a blob that is missing', async () => {
    const server = await S3Server.start();
    const store = openS3(server.url({ bucket: 'other' }));
    await expect(store.get('history/x')).rejects.toThrow(/NoSuchBucket/);
  });

  it('say so when nothing answers', async () => {
    const server = await S3Server.start();
    const store = openS3(server.url());
    server.stop();
    await expect(store.get('history/x')).rejects.toThrow(
      /cannot be reached at http:.*ECONNREFUSED/,
    );
  });
});

describe('parseS3Url', () => {
  it('reads keys with escaped characters, and a region', () => {
    const escaped = encodeURIComponent(SECRET_ACCESS_KEY);
    expect(parseS3Url(`https://ID:${escaped}@s3.example:9000/bucket/a/?region=eu-1`)).toEqual({
      baseUrl: 'https://s3.example:9000/bucket/a/',
      accessKeyId: 'ID',
      secretAccessKey: SECRET_ACCESS_KEY,
      region: 'eu-1',
    });
    expect(parseS3Url('https://ID:x@s3.example/bucket').region).toBe('us-east-1');
  });

  it.each([
    'bucket',
    's3://ID:very-secret@bucket',
    'https://s3.example/bucket',
    'https://ID:very-secret@s3.example/',
    'https://ID:very-secret%@s3.example/bucket',
  ])('refuses %s without repeating its secret', (url) => {
    expect(() => parseS3Url(url)).toThrow(/SIDETONE_S3_URL/);
    expect(() => parseS3Url(url)).not.toThrow(/very-secret/);
  });
});
