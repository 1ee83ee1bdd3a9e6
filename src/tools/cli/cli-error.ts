/** What the shell is told; documented in `sidetone --help`. */
export const EXIT_CODES = { failed: 1, usage: 2, unreachable: 3 } as const;

/** A command failed; the message is one clear line for stderr. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, reason: keyof typeof EXIT_CODES, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = EXIT_CODES[reason];
  }
}

/** @param cause of a connection that failed. */
export function unreachable(url: string, cause: unknown): CliError {
  return new CliError(
    `No Sidetone server answers at ${url}. Start one with "npm start", or name another with --url or SIDETONE_URL.`,
    'unreachable',
    { cause },
  );
}
