import { describe, expect, it } from 'vitest';
import type { StoredToken } from '../../src/service/storage/token-store.ts';
import { NO_LIMIT, type StoragePlace } from '../support/storages.ts';

function storedToken(given: Partial<StoredToken> = {}): StoredToken {
  return {
    tokenHash: 'a'.repeat(64),
    keyHash: 'b'.repeat(64),
    purpose: 'tts_websocket',
    expiresAtMs: 1_763_700_900_000,
    ...given,
  };
}

const NOW = 1_763_700_000_000;

/** What every adapter of `TokenStore` must do. */
export function tokenStoreContract(technology: string, newPlace: () => StoragePlace): void {
  describe(`token store on ${technology}`, () => {
    it('gives a token out once, also after a restart', async () => {
      const place = newPlace();
      const token = storedToken();
      const before = await place.open();
      await before.tokens.add(token, NO_LIMIT, NOW);
      await before.close();
      await using after = await place.open();
      expect(await after.tokens.take(token.tokenHash, 'tts_websocket', NOW)).toEqual(token);
      expect(await after.tokens.take(token.tokenHash, 'tts_websocket', NOW)).toBeUndefined();
    });

    it('gives it to one of many that ask at the same time', async () => {
      const place = newPlace();
      await using one = await place.open();
      await using other = await place.open();
      const token = storedToken();
      await one.tokens.add(token, NO_LIMIT, NOW);
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? one : other).tokens.take(token.tokenHash, 'tts_websocket', NOW),
        ),
      );
      expect(taken.filter(Boolean)).toEqual([token]);
    });

    it('keeps it from those who want it for something else, and for those who do not', async () => {
      await using storage = await newPlace().open();
      const token = storedToken();
      await storage.tokens.add(token, NO_LIMIT, NOW);
      expect(await storage.tokens.take(token.tokenHash, 'batch_scribe', NOW)).toBeUndefined();
      expect(await storage.tokens.take('c'.repeat(64), 'tts_websocket', NOW)).toBeUndefined();
      expect(await storage.tokens.take(token.tokenHash, 'tts_websocket', NOW)).toEqual(token);
    });

    it('lets no more wait than a key may have, however many are made at once', async () => {
      await using storage = await newPlace().open();
      const token = (index: number) => storedToken({ tokenHash: String(index) });
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, index) => storage.tokens.add(token(index), 5, NOW)),
      );
      expect(added.filter(Boolean)).toHaveLength(5);
      expect(await storage.tokens.add(storedToken({ keyHash: 'c'.repeat(64) }), 5, NOW)).toBe(true);
      const { expiresAtMs } = token(0);
      expect(await storage.tokens.add(token(20), 5, expiresAtMs)).toBe(true);
    });

    it('gives out none that has expired, to the millisecond', async () => {
      await using storage = await newPlace().open();
      const token = storedToken();
      await storage.tokens.add(token, NO_LIMIT, NOW);
      const { tokenHash, purpose, expiresAtMs } = token;
      expect(await storage.tokens.take(tokenHash, purpose, expiresAtMs)).toBeUndefined();
      expect(await storage.tokens.take(tokenHash, purpose, expiresAtMs - 1)).toEqual(token);
    });

    it('prunes those that have expired, and no others', async () => {
      await using storage = await newPlace().open();
      const old = storedToken({ tokenHash: 'old', expiresAtMs: NOW });
      const young = storedToken({ tokenHash: 'young', expiresAtMs: NOW + 1 });
      await storage.tokens.add(old, NO_LIMIT, NOW);
      await storage.tokens.add(young, NO_LIMIT, NOW);
      await storage.tokens.prune(NOW);
      expect(await storage.tokens.take('old', 'tts_websocket', 0)).toBeUndefined();
      expect(await storage.tokens.take('young', 'tts_websocket', 0)).toEqual(young);
    });
  });
}
