import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type App, startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { REAL_KEY, speakWords } from '../support/real-server.ts';
import { temporaryDir } from '../support/temporary-dir.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const HOLD_LOCK = fileURLToPath(new URL('hold-lock.mjs', import.meta.url));
const TEXT = 'Thank you for calling. ';
/** Room for the database and a little of its log. */
const SMALL_DISK = '2m';

interface LogLine {
  readonly msg: string;
  readonly part?: string;
  readonly reason?: string;
}

async function startServer(dataDir: string) {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const environment = {
    PORT: '0',
    SIDETONE_API_KEY: REAL_KEY,
    SIDETONE_DATA_DIR: dataDir,
    SIDETONE_MODELS_DIR: join(PROJECT, 'models'),
    SIDETONE_KOKORO: 'off',
    SIDETONE_REFUSE_WHEN_LATE: 'false',
  };
  const app = await startApp(readConfig(environment), pino(stream));
  onTestFinished(() => app.close());
  const get = async (path: string) => {
    const reply = await fetch(app.url + path, { headers: { 'xi-api-key': REAL_KEY } });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const troubles = () =>
    lines.filter(({ msg }) => msg.startsWith('storage')).map(({ reason, msg }) => [reason, msg]);
  const used = async () => (await get('/v1/user/subscription')).body['character_count'];
  return { app, lines, get, troubles, used };
}

/** Speaks again and again, on connections of its own. @returns characters, all of which were heard. */
async function speakFor(app: App, durationMs: number): Promise<number> {
  const untilMs = performance.now() + durationMs;
  let characters = 0;
  do {
    const query = 'output_format=ulaw_8000&auto_mode=true';
    const client = await speakWords(app, app.defaultVoice.voiceId, query, TEXT);
    expect(client.audio().length).toBeGreaterThan(4_000);
    characters += TEXT.trim().length;
  } while (performance.now() < untilMs);
  return characters;
}

/** @returns when the other process has the lock, a promise of its end. */
async function lockDatabase(dataDir: string, durationMs: number) {
  const path = join(dataDir, 'sidetone.db');
  const child = spawn(process.execPath, [HOLD_LOCK, path, String(durationMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return { exited, release: () => child.kill() };
}

async function createKey({ url }: App): Promise<Response> {
  const headers = { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'k'.repeat(100) });
  return fetch(`${url}/v1/workspace/api-keys`, { method: 'POST', headers, body });
}

describe('what would be stored while another process has the lock of the database', () => {
  it('is refused, with the time after which to try again', async () => {
    const dataDir = temporaryDir();
    const { app } = await startServer(dataDir);
    const { exited, release } = await lockDatabase(dataDir, 60_000);
    const reply = await createKey(app);
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(await reply.json()).toMatchObject({ detail: { code: 'storage_unavailable' } });
    release();
    await exited;
    expect((await createKey(app)).status).toBe(200);
  }, 120_000);
});

describe('speech while another process has the lock of the database', () => {
  it.each([2_000, 4_500, 7_000])(
    'for %i ms goes on, degraded, and is charged afterwards',
    async (durationMs) => {
      const dataDir = temporaryDir();
      const { app, get, troubles, used } = await startServer(dataDir);
      await speakFor(app, 0);
      const before = Number(await used());
      const { exited } = await lockDatabase(dataDir, durationMs);
      const delay = monitorEventLoopDelay({ resolution: 10 });
      delay.enable();
      const speaking = speakFor(app, durationMs);
      await expect
        .poll(() => get('/health'), { timeout: 30_000 })
        .toMatchObject({
          status: 200,
          body: { status: 'degraded', problems: [{ part: 'database' }] },
        });
      const characters = await speaking;
      delay.disable();
      console.log(`Lock of ${durationMs} ms: worst delay ${(delay.max / 1e6).toFixed(1)} ms.`);
      // A thread that waited for the lock itself would be late by all of its time.
      expect(delay.max / 1e6).toBeLessThan(0.9 * durationMs);
      await exited;
      await expect.poll(used, { timeout: 30_000 }).toBe(before + characters);
      await expect
        .poll(async () => (await get('/health')).body, { timeout: 30_000 })
        .toMatchObject({ status: 'ok', problems: [] });
      expect(troubles()[0]).toEqual(['not_answering', 'storage fails']);
      expect(troubles().at(-1)?.[1]).toBe('storage works again');
    },
    120_000,
  );
});

const canMount = process.getuid?.() === 0 && process.platform === 'linux' && tryMount();

describe.skipIf(!canMount)('speech on a full disk', () => {
  it('goes on, degraded, and is charged when there is room again', async () => {
    const dataDir = mountSmallDisk();
    const { app, lines, get, troubles, used } = await startServer(dataDir);
    await speakFor(app, 0);
    const before = Number(await used());
    const filler = join(dataDir, 'filler');
    fill(filler);
    const characters = await speakFor(app, 3_000);
    expect(await get('/health')).toMatchObject({
      status: 200,
      body: { status: 'degraded', problems: [{ part: 'database', reason: 'disk_full' }] },
    });
    const url = `${app.url}/v1/text-to-speech/${app.defaultVoice.voiceId}?output_format=ulaw_8000`;
    const headers = { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' };
    const reply = await fetch(url, { method: 'POST', headers, body: `{"text":"${TEXT}"}` });
    expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(4_000);
    const refusal = await createKey(app);
    expect(refusal.status).toBe(507);
    expect(await refusal.json()).toMatchObject({ detail: { code: 'insufficient_storage' } });
    rmSync(filler);
    await expect.poll(used, { timeout: 30_000 }).toBe(before + characters + TEXT.length);
    await expect
      .poll(async () => (await get('/health')).body['problems'], { timeout: 30_000 })
      .not.toContainEqual(expect.objectContaining({ part: 'database' }));
    expect(troubles()).toContainEqual(['disk_full', 'storage fails']);
    expect(lines.filter(({ msg }) => msg === 'speech could not be accounted for')).toEqual([]);
  }, 120_000);
});

function tryMount(): boolean {
  const folder = join('/tmp', `sidetone-mount-${process.pid}`);
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'none', folder]);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    console.warn('NOT TESTED: a full disk (this system lets nobody mount one).');
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A disk of its own, gone when the test is over and the server closed. */
function mountSmallDisk(): string {
  const folder = temporaryDir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'none', folder]);
  onTestFinished(() => void execFileSync('umount', [folder]));
  return folder;
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let sizeBytes = 65_536; sizeBytes >= 512; ) {
      try {
        writeSync(file, Buffer.alloc(sizeBytes));
      } catch {
        sizeBytes /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
}
