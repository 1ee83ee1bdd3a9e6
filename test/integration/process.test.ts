import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/tools/cli/program.ts';
import { ServerProcess } from '../support/server-process.ts';
import { StreamClient } from '../support/stream-client.ts';
import { temporaryDir } from '../support/temporary-dir.ts';

const MODELS = fileURLToPath(new URL('../../models', import.meta.url));
const LIBRITTS = 'en_US-libritts_r-medium';
const FABER = 'pt_BR-faber-medium';
const KEY = 'process-test-key';

/** A models folder with the real voices linked in, for a test to spoil one of them. */
function linkedModels(...voices: readonly string[]): string {
  const folder = temporaryDir();
  for (const list of ['manifest.json', 'voices.json'])
    cpSync(join(MODELS, list), join(folder, list));
  for (const voice of voices) {
    mkdirSync(join(folder, voice));
    for (const file of readdirSync(join(MODELS, voice))) {
      symlinkSync(join(MODELS, voice, file), join(folder, voice, file));
    }
  }
  return folder;
}

async function firstVoice(url: string, locale: string): Promise<string> {
  const { voices } = (await (await fetch(`${url}/v1/voices`)).json()) as {
    voices: { voice_id: string; labels: { locale: string } }[];
  };
  return voices.find(({ labels }) => labels.locale === locale)?.voice_id ?? '';
}

function stream(url: string, voiceId: string, key: string): StreamClient {
  const origin = url.replace('http', 'ws');
  return new StreamClient(
    `${origin}/v1/text-to-speech/${voiceId}/stream-input?output_format=ulaw_8000`,
    { 'xi-api-key': key },
  );
}

describe('the server process', () => {
  it('makes a key at its first start, prints it once, and knows it ever after', async () => {
    const settings = { SIDETONE_DATA_DIR: temporaryDir() };
    let key = '';
    {
      await using first = ServerProcess.start(settings);
      const url = await first.url();
      key = (await first.says(/sk_[0-9A-Za-z]+/))[0];
      const models = await fetch(`${url}/v1/models`, { headers: { 'xi-api-key': key } });
      expect(models.status).toBe(200);
    }
    await using second = ServerProcess.start(settings);
    const url = await second.url();
    const models = await fetch(`${url}/v1/models`, { headers: { 'xi-api-key': key } });
    expect(models.status).toBe(200);
    expect(second.printed).not.toContain(key);
    const stored = readFileSync(join(settings.SIDETONE_DATA_DIR, 'sidetone.db'), 'latin1');
    expect(stored).not.toContain(key);
  });

  it('finishes what it is saying when it is told to stop, and exits with 0', async () => {
    await using server = ServerProcess.start({
      SIDETONE_DATA_DIR: temporaryDir(),
      SIDETONE_API_KEY: KEY,
    });
    const url = await server.url();
    const client = stream(url, await firstVoice(url, 'en-US'), KEY);
    await client.opened();
    client.send({
      text: 'This sentence is being spoken while the server goes down. '.repeat(3),
      flush: true,
    });
    await client.until(({ audio }) => Boolean(audio));
    server.signal('SIGTERM');
    expect((await client.closed).code).toBe(1001);
    expect(client.audio().length / 8000).toBeGreaterThan(6);
    expect(await server.exited()).toBe(0);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it('says which port is taken, and what to do', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    await using server = ServerProcess.start({
      PORT: String(port),
      SIDETONE_DATA_DIR: temporaryDir(),
    });
    expect(await server.exited()).toBe(1);
    expect(server.printed).toContain(`port ${port} is in use`);
    expect(server.printed).toContain('PORT=');
    blocker.close();
  });

  it('names the setting of the port that is taken, and of an address that is not here', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    for (const [settings, sentence] of [
      [
        { SIDETONE_AUDIOSOCKET_PORT: `${port}` },
        `port ${port} is in use. Stop the program that has it, or choose another: SIDETONE_AUDIOSOCKET_PORT=`,
      ],
      [{ HOST: '192.0.2.1' }, 'HOST is "192.0.2.1", which is no address of this machine.'],
      [{ HOST: 'no such host' }, 'HOST is "no such host", which is no address of this machine.'],
    ] as const) {
      await using server = ServerProcess.start({ SIDETONE_DATA_DIR: temporaryDir(), ...settings });
      expect(await server.exited()).toBe(1);
      expect(server.printed).toContain(`Sidetone cannot start: ${sentence}`);
      expect(server.printed).not.toMatch(/ at .*\.js/);
    }
    blocker.close();
  });

  it('reads .env where it is started, points out what is no setting, and names a wrong voice', async () => {
    const cwd = temporaryDir();
    writeFileSync(
      join(cwd, '.env'),
      `SIDETONE_DEFAULT_VOICE=Nobody\nSIDETONE_DRIAN_S=3\nSIDETONE_DATA_DIR=${temporaryDir()}\n`,
    );
    await using server = ServerProcess.start({}, { cwd });
    expect(await server.exited()).toBe(1);
    expect(server.printed).toContain(
      'SIDETONE_DRIAN_S is no setting. Did you mean SIDETONE_DRAIN_S?\n',
    );
    expect(server.printed).toMatch(
      /cannot start: SIDETONE_DEFAULT_VOICE is "Nobody", which is no voice here: .* such as \w+\.\n/,
    );
  });

  it('says on an old Node which one it needs', async () => {
    const versions = '{ ...process.versions, node: "18.20.8" }';
    const flag = `data:text/javascript,Object.defineProperty(process,"versions",{value:${versions}})`;
    await using server = ServerProcess.start({}, { nodeFlags: ['--import', flag] });
    expect(await server.exited()).toBe(1);
    expect(server.printed).toBe(
      'Sidetone needs Node 20 or newer; this is 18.20.8. Get it from https://nodejs.org.\n',
    );
  });

  it('names every bad setting at once', async () => {
    await using server = ServerProcess.start({ PORT: 'http', LOG_LEVEL: 'loud' });
    expect(await server.exited()).toBe(1);
    expect(server.printed).toMatch(/PORT must be/);
    expect(server.printed).toMatch(/LOG_LEVEL must be/);
  });

  it('lives with a corrupt voice file: that voice is refused, the others speak', async () => {
    const models = linkedModels(LIBRITTS);
    mkdirSync(join(models, FABER));
    cpSync(join(MODELS, FABER, `${FABER}.onnx.json`), join(models, FABER, `${FABER}.onnx.json`));
    writeFileSync(join(models, FABER, `${FABER}.onnx`), Buffer.alloc(100_000, 7));
    await using server = ServerProcess.start({
      SIDETONE_DATA_DIR: temporaryDir(),
      SIDETONE_MODELS_DIR: models,
      SIDETONE_API_KEY: KEY,
    });
    const url = await server.url();
    const broken = stream(url, await firstVoice(url, 'pt-BR'), KEY);
    await broken.opened();
    broken.send({ text: 'Bom dia.', flush: true });
    expect((await broken.closed).code).toBe(1011);
    expect(broken.frames.at(-1)).toMatchObject({
      error: 'voice_file_corrupt',
      message: expect.stringContaining(FABER),
    });
    const whole = stream(url, await firstVoice(url, 'en-US'), KEY);
    await whole.opened();
    whole.send({ text: 'Good morning.' }, { text: '' });
    expect((await whole.closed).code).toBe(1000);
    expect(whole.audio().length).toBeGreaterThan(4000);
  });

  it('cannot start without any voice, and says how to get one', async () => {
    await using server = ServerProcess.start({
      SIDETONE_DATA_DIR: temporaryDir(),
      SIDETONE_MODELS_DIR: temporaryDir(),
    });
    expect(await server.exited()).toBe(1);
    expect(server.printed).toMatch(/npm start/);
  });

  it('says in a sentence which setting or file keeps it from starting', async () => {
    const damaged = temporaryDir();
    writeFileSync(join(damaged, 'server-secret'), 'half a sec');
    for (const [settings, sentence] of [
      [
        { SIDETONE_WEBHOOK_ALLOW: '10.0.0.0/33' },
        /SIDETONE_WEBHOOK_ALLOW must .*"10\.0\.0\.0\/33"/,
      ],
      [{ SIDETONE_DATA_DIR: damaged }, /server-secret is damaged.*Restore it from a backup/],
    ] as const) {
      await using server = ServerProcess.start({ SIDETONE_DATA_DIR: temporaryDir(), ...settings });
      expect(await server.exited()).toBe(1);
      expect(server.printed).toMatch(sentence);
      expect(server.printed).not.toMatch(/ at .*\.js/);
    }
  });

  it('speaks to the command line', async () => {
    await using server = ServerProcess.start({
      SIDETONE_DATA_DIR: temporaryDir(),
      SIDETONE_API_KEY: KEY,
    });
    const url = await server.url();
    const output = join(temporaryDir(), 'call.ulaw');
    const terminal = {
      environment: { SIDETONE_URL: url, SIDETONE_API_KEY: KEY },
      stdout: process.stdout,
      stderr: new PassThrough(),
    };
    const words = ['say', 'Hello from the command line.', '--format', 'ulaw_8000', '-o', output];
    expect(await runCli(words, terminal)).toBe(0);
    expect(readFileSync(output).length).toBeGreaterThan(8000);
    expect(String(terminal.stderr.read())).toContain('first audio after');
  });
});
