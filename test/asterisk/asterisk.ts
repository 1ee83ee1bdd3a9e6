import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONFIGURATION = fileURLToPath(new URL('etc', import.meta.url));
const FIRST_RTP_PORT = 20_000;
const RTP_PORTS = 100;

/** What the configuration files leave open. */
export interface AsteriskSettings {
  readonly sipPort: number;
  /** Of Sidetone. */
  readonly httpPort: number;
  readonly audioSocketPort: number;
  readonly line: string;
  readonly apiKey: string;
}

/** A real Asterisk that answers SIP calls and hands them to Sidetone; see `etc/extensions.conf`. */
export class Asterisk {
  readonly #process: ChildProcess;
  readonly #folder: string;
  printed = '';

  private constructor(child: ChildProcess, folder: string) {
    this.#process = child;
    this.#folder = folder;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        this.printed += data;
      });
    }
  }

  /** Resolves when it takes calls. */
  static async start(root: string, settings: AsteriskSettings): Promise<Asterisk> {
    mkdirSync(join(root, 'run', 'sidetone'), { recursive: true });
    const folder = mkdtempSync(join(root, 'run', 'sidetone', 'asterisk-'));
    const inside = join('/run/sidetone', basename(folder));
    // Debian's own files stand for whatever ours do not say.
    cpSync(join(root, 'etc', 'asterisk'), join(folder, 'etc'), { recursive: true });
    const values = placeholders(settings, inside);
    for (const name of readdirSync(CONFIGURATION)) {
      const text = readFileSync(join(CONFIGURATION, name), 'utf8');
      writeFileSync(join(folder, 'etc', name), fillIn(text, values));
    }
    const command = [root, 'asterisk', '-f', '-n', '-C', `${inside}/etc/asterisk.conf`];
    const child = spawn('chroot', command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const asterisk = new Asterisk(child, folder);
    await asterisk.#says(/Asterisk Ready/);
    return asterisk;
  }

  async #says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.printed)) {
      if (this.#process.exitCode !== null) throw new Error(`Asterisk ended:\n${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function placeholders(settings: AsteriskSettings, folder: string): Record<string, string> {
  return {
    RUN: folder,
    SIP_PORT: String(settings.sipPort),
    RTP_PORT: String(FIRST_RTP_PORT),
    RTP_END: String(FIRST_RTP_PORT + RTP_PORTS),
    HTTP_PORT: String(settings.httpPort),
    AUDIOSOCKET_PORT: String(settings.audioSocketPort),
    LINE: settings.line,
    KEY: settings.apiKey,
  };
}

function fillIn(text: string, values: Record<string, string>): string {
  return text.replaceAll(/@([A-Z_]+)@/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for @${name}@.`);
    return value;
  });
}
