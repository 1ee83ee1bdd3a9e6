import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/** The part of `GET /health` that benches read. */
export interface Health {
  readonly uptimeMs: number;
  readonly memory: { readonly rssBytes: number };
  readonly eventLoop: { readonly delayP99Ms: number };
  readonly engine: { readonly ratedStreams: number };
}

/** The real server, as `npm start` runs it, in a process and a data folder of its own. */
export class ServerProcess {
  readonly apiKey: string;
  readonly port: number;
  /** From the start of the process to the first healthy answer. */
  readonly startMs: number;
  readonly #child: ChildProcess;
  /** Folder of its state. */
  readonly dataDir: string;

  private constructor(
    child: ChildProcess,
    parts: { apiKey: string; port: number; startMs: number; dataDir: string },
  ) {
    this.#child = child;
    this.apiKey = parts.apiKey;
    this.port = parts.port;
    this.startMs = parts.startMs;
    this.dataDir = parts.dataDir;
  }

  /**
   * @param settings of the server, besides those that it always gets here.
   * @throws Error with the server's own words when it does not get ready within a minute.
   */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const apiKey = `bench-${crypto.randomUUID()}`;
    const dataDir = mkdtempSync(join(tmpdir(), 'sidetone-bench-'));
    const port = await freePort();
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: PROJECT,
      env: {
        ...process.env,
        PORT: String(port),
        HOST: '127.0.0.1',
        SIDETONE_API_KEY: apiKey,
        SIDETONE_DATA_DIR: dataDir,
        SIDETONE_KOKORO: 'off',
        LOG_LEVEL: 'warn',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let words = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        words = (words + data).slice(-4000);
      });
    }
    while (child.exitCode === null && performance.now() - startedAtMs < START_TIMEOUT_MS) {
      if (await isHealthy(port)) {
        const startMs = performance.now() - startedAtMs;
        return new ServerProcess(child, { apiKey, port, startMs, dataDir });
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
    throw new Error(`The server did not get ready. It said:\n${words}`);
  }

  async health(): Promise<Health> {
    return (await this.#get('/health')) as Health;
  }

  /** Id of the voice that is listed first. */
  async firstVoiceId(): Promise<string> {
    const { voices } = (await this.#get('/v1/voices')) as { voices: { voice_id: string }[] };
    const [first] = voices;
    if (!first) throw new Error('The server lists no voices.');
    return first.voice_id;
  }

  /** Processor time of all its threads so far; null where the system has no `/proc`. */
  cpuSeconds(): number | null {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
      // proc(5): fields 14 and 15, counted after the parenthesised name, which may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond();
    } catch {
      return null;
    }
  }

  /** Memory that it holds; null when it is dead, or the system has no `/proc`. */
  residentBytes(): number | null {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
      return kilobytes === undefined ? null : 1024 * Number(kilobytes);
    } catch {
      return null;
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      const killer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(killer);
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** In the Prometheus text format. */
  async metrics(): Promise<string> {
    return (await this.#ask('GET', '/metrics')).text();
  }

  /** @returns what it answers. */
  async post(path: string, body: object): Promise<unknown> {
    return (await this.#ask('POST', path, body)).json();
  }

  /** @returns bytes of mu-law. */
  async speak(voiceId: string, text: string): Promise<number> {
    const path = `/v1/text-to-speech/${voiceId}?output_format=ulaw_8000`;
    return (await (await this.#ask('POST', path, { text })).arrayBuffer()).byteLength;
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#ask('GET', path)).json();
  }

  async #ask(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        'xi-api-key': this.apiKey,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
    return response;
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

let ticks: number | undefined;

function clockTicksPerSecond(): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks;
}
