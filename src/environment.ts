import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as util from 'node:util';

/** The `.env` file is there and cannot be used. */
export class EnvironmentFileError extends Error {
  override readonly name = 'EnvironmentFileError';
}

/**
 * The variables that are set, and those of the `.env` file of a folder behind them.
 * @throws EnvironmentFileError when the file cannot be read, or this Node has no reader for it (20.12 brought it).
 */
export function withEnvironmentFile(
  environment: NodeJS.ProcessEnv,
  folder: string,
): NodeJS.ProcessEnv {
  const file = join(folder, '.env');
  const text = readIfPresent(file);
  if (text === undefined) return environment;
  if (typeof util.parseEnv !== 'function') {
    throw new EnvironmentFileError(
      `${file} needs Node 20.12 or newer to be read; this is ${process.versions.node}.`,
    );
  }
  return { ...util.parseEnv(text), ...environment };
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    // Python keeps its virtual environments in folders of this name.
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    throw new EnvironmentFileError(`${file} cannot be read: ${message}`, { cause });
  }
}
