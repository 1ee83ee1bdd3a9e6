import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { BlobStore } from '../../src/service/storage/blob-store.ts';

const KEY = 'history/0mk3abc_DEF-9';
const CONTENT = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, index) => index % 251));

async function* pieces(content: Buffer, size = 64_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.length; start += size) {
    yield content.subarray(start, start + size);
  }
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield CONTENT;
  throw new Error('the source broke');
}

async function read(store: BlobStore, range?: { start: number; end: number }) {
  const found = await store.get(KEY, range);
  return found && buffer(found);
}

/** What every adapter of `BlobStore` must do. */
export function blobStoreContract(technology: string, open: () => Promise<BlobStore>): void {
  describe(`blob store on ${technology}`, () => {
    it('returns exactly what was put, and says how much it is', async () => {
      const store = await open();
      expect(await store.put(KEY, pieces(CONTENT))).toBe(CONTENT.length);
      expect((await read(store))?.equals(CONTENT)).toBe(true);
      expect(await store.size(KEY)).toBe(CONTENT.length);
    });

    it('returns a part', async () => {
      const store = await open();
      await store.put(KEY, pieces(CONTENT));
      const last = CONTENT.length - 1;
      for (const [start, end] of [
        [0, 0],
        [1000, 70_000],
        [last, last],
      ] as const) {
        const part = await read(store, { start, end });
        expect(part?.equals(CONTENT.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
      }
    });

    it('keeps an empty blob', async () => {
      const store = await open();
      expect(await store.put(KEY, Readable.from([]))).toBe(0);
      expect(await store.size(KEY)).toBe(0);
      expect((await read(store))?.length).toBe(0);
    });

    it('replaces what was there', async () => {
      const store = await open();
      await store.put(KEY, pieces(CONTENT));
      await store.put(KEY, pieces(Buffer.from('shorter')));
      expect(String(await read(store))).toBe('shorter');
    });

    it('keeps blobs of different spaces apart', async () => {
      const store = await open();
      await store.put('history/same', pieces(Buffer.from('one')));
      await store.put('samples/same', pieces(Buffer.from('other')));
      await store.delete('samples/same');
      expect(await store.size('history/same')).toBe(3);
    });

    it('has nothing under a key that was never put', async () => {
      const store = await open();
      expect(await store.get(KEY)).toBeUndefined();
      expect(await store.size(KEY)).toBeUndefined();
    });

    it('deletes, and does not mind doing so again', async () => {
      const store = await open();
      await store.put(KEY, pieces(CONTENT));
      await store.delete(KEY);
      await store.delete(KEY);
      expect(await store.get(KEY)).toBeUndefined();
    });

    it('stores nothing of content that breaks off, and keeps what was there', async () => {
      const store = await open();
      await expect(store.put(KEY, broken())).rejects.toThrow('the source broke');
      expect(await store.size(KEY)).toBeUndefined();
      await store.put(KEY, pieces(CONTENT));
      await expect(store.put(KEY, broken())).rejects.toThrow('the source broke');
      expect(await store.size(KEY)).toBe(CONTENT.length);
    });

    it('shows nothing of content that is still coming', async () => {
      const store = await open();
      let sizeMeanwhile: number | undefined = -1;
      async function* slow() {
        yield CONTENT;
        sizeMeanwhile = await store.size(KEY);
      }
      await store.put(KEY, slow());
      expect(sizeMeanwhile).toBeUndefined();
      expect(await store.size(KEY)).toBe(CONTENT.length);
    });

    it('refuses keys that lead elsewhere', async () => {
      const store = await open();
      const keys = [
        'history',
        'history/',
        '/history/x',
        'history/../x',
        '../x',
        'history/a/b',
        'a/b c',
      ];
      for (const key of [
        ...keys,
        'history/x\0',
        `history/${'x'.repeat(200)}`,
        'History/x',
        '.unfinished/x',
      ]) {
        await expect(store.put(key, pieces(CONTENT)), key).rejects.toThrow(/no key of a blob/);
        await expect(store.get(key), key).rejects.toThrow(/no key of a blob/);
      }
    });
  });
}
