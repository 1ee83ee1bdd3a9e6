import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The compiled server in a process of its own, with everything that it printed. */
export class ServerProcess {
  readonly #child: ChildProcess;
  printed = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        this.printed += data;
      });
    }
  }

  /**
   * Starts the server on a free port, with these settings and no others of its own.
   * @param options.cwd whose `.env` it reads; by default a folder without one.
   * @param options.nodeFlags as they stand before the program.
   */
  static start(
    settings: Record<string, string>,
    { cwd = dirname(SERVER), nodeFlags = [] }: { cwd?: string; nodeFlags?: readonly string[] } = {},
  ): ServerProcess {
    const child = spawn(process.execPath, [...nodeFlags, SERVER], {
      cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: '0',
        LOG_LEVEL: 'warn',
        SIDETONE_KOKORO: 'off',
        SIDETONE_REFUSE_WHEN_LATE: 'false',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServerProcess(child);
  }

  /** Waits until the server has printed something that matches, and returns the match. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    while (true) {
      const match = pattern.exec(this.printed);
      if (match) return match;
      if (this.#child.exitCode !== null) throw new Error(`The server exited:\n${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The address that it prints once it listens. */
  async url(): Promise<string> {
    return (await this.says(/listens on (\S+)/))[1] ?? '';
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** @returns the exit code; null when a signal ended it. */
  async exited(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit');
    }
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGKILL');
    await this.exited();
  }
}
