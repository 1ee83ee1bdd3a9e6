import type { Writable } from 'node:stream';

/** What a command reads and writes besides its arguments. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writable;
  readonly stderr: Writable;
}
