import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nonBlank, path, type Setting, wholeNumber } from './setting-readers.ts';

/** The folder that holds package.json, whether this runs from src or from dist. */
const PROJECT_DIR = fileURLToPath(new URL('..', import.meta.url));

/** The settings of what is kept: where state lies, and how much of it. */
export const STORAGE_SETTINGS = {
  dataDir: {
    variable: 'SIDETONE_DATA_DIR',
    description: 'Folder of all state.',
    defaultText: '.sidetone in the project folder',
    absent: resolve(PROJECT_DIR, '.sidetone'),
    parse: path,
  },
  modelsDir: {
    variable: 'SIDETONE_MODELS_DIR',
    description: 'Folder of voice files.',
    defaultText: 'models in the project folder',
    absent: resolve(PROJECT_DIR, 'models'),
    parse: path,
  },
  databaseUrl: {
    variable: 'SIDETONE_DATABASE_URL',
    description: 'PostgreSQL for all state but audio, as postgres://user:password@host/database.',
    defaultText: 'a file in the data folder',
    absent: undefined,
    parse: nonBlank,
  } as Setting<string | undefined>,
  s3Url: {
    variable: 'SIDETONE_S3_URL',
    description: 'S3-compatible store for audio, as https://ID:SECRET@host/bucket/folder?region=….',
    defaultText: 'files in the data folder',
    absent: undefined,
    parse: nonBlank,
  } as Setting<string | undefined>,
  historyDays: {
    variable: 'SIDETONE_HISTORY_DAYS',
    description: 'Days that generations are kept in the history.',
    defaultText: 'until deleted',
    absent: undefined,
    parse: wholeNumber(1, 36_500),
  } as Setting<number | undefined>,
  historyMib: {
    variable: 'SIDETONE_HISTORY_MIB',
    description:
      'MiB of audio that the history of one account may have; the oldest generations make room.',
    defaultText: '10240',
    absent: 10_240,
    parse: wholeNumber(1, 100_000_000),
  },
  diskReserveMib: {
    variable: 'SIDETONE_DISK_RESERVE_MIB',
    description:
      'MiB of the disk of the data folder that stay free; uploads are refused and audio is not kept before they are used.',
    defaultText: '512',
    absent: 512,
    parse: wholeNumber(0, 100_000_000),
  },
} satisfies Record<string, Setting<unknown>>;
