import { afterAll, describe, it } from 'vitest';
import { openStorage } from '../../src/service/storage/open-storage.ts';
import type { Storage } from '../../src/service/storage/storage.ts';
import { findPostgres, PostgresServer } from './postgres.ts';
import { temporaryDir } from './temporary-dir.ts';

/** More than any test stores. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;
export const NO_VOICE_LIMITS = { voices: NO_LIMIT, samples: NO_LIMIT, sampleBytes: NO_LIMIT };
export const NO_DICTIONARY_LIMITS = {
  dictionaries: NO_LIMIT,
  totalBytes: NO_LIMIT,
  versions: NO_LIMIT,
  versionBytes: NO_LIMIT,
};

/** A place that can be opened again and again, each time as another process would. */
export interface StoragePlace {
  open(): Promise<Storage>;
}

/** Makes an empty place that is gone when the test is over. */
export type NewPlace = () => StoragePlace;

/**
 * Every kind of storage there is, for contract suites: `for (const [name, newPlace] of storages())`.
 * To be called at the top of a test file. One PostgreSQL server serves the whole file.
 */
export function storages(): ReadonlyArray<readonly [name: string, newPlace: NewPlace]> {
  const sqlite = ['SQLite', newSqlitePlace] as const;
  const programs = findPostgres();
  if (programs) {
    let starting: Promise<PostgresServer> | undefined;
    const server = () => {
      starting ??= PostgresServer.start(programs);
      return starting;
    };
    afterAll(async () => (await starting)?.stop());
    return [sqlite, ['PostgreSQL', () => newPostgresPlace(server)]];
  }
  const reason = 'no PostgreSQL on this machine: neither its npm package nor the system has it';
  console.warn(`NOT TESTED: storage on PostgreSQL (${reason}).`);
  describe('storage on PostgreSQL', () => it.skip(reason, () => undefined));
  return [sqlite];
}

function newSqlitePlace(): StoragePlace {
  const dataDir = temporaryDir();
  return { open: () => openStorage({ dataDir }) };
}

function newPostgresPlace(server: () => Promise<PostgresServer>): StoragePlace {
  const dataDir = temporaryDir();
  let url: Promise<string> | undefined;
  return {
    open: async () => {
      url ??= server().then((running) => running.newDatabase());
      return openStorage({ dataDir, databaseUrl: await url });
    },
  };
}
