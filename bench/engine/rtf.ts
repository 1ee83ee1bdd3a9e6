/**
 * What the engine costs, in CPU time of one thread: the windows against a run in one go of the voice
 * as published, in the same process and by turns, so that a noisy machine disturbs both alike.
 * Run it with `npx tsx bench/engine/rtf.ts`; it prints a table, and JSON with `--json`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { WINDOW_SCHEDULES } from '../../src/synthesis/engine/engine.ts';
import { type EngineModel, scanModels } from '../../src/synthesis/engine/model-catalog.ts';
import { phonemeIds } from '../../src/synthesis/engine/phoneme-ids.ts';
import { StageRunner, type TextRequest } from '../../src/synthesis/engine/stage-runner.ts';
import { planWindows } from '../../src/synthesis/engine/windows.ts';
import { cutVoice } from '../../src/synthesis/graph/stage-cache.ts';
import { symbolsOf } from '../../test/contract/engine-sentences.ts';
import { OneShotVoice } from '../../test/contract/one-shot-voice.ts';

const MODELS_DIR = fileURLToPath(new URL('../../models', import.meta.url));
const VOICE = 'en_US-libritts_r-medium';
const SENTENCES = ['short', 'medium', 'long'] as const;
const NEUTRAL = { variation: 1, rhythm: 1, pace: 1 };

/** CPU milliseconds, the median of the runs. */
export interface RtfRow {
  readonly sentence: string;
  readonly phonemeIds: number;
  readonly speechMs: number;
  readonly schedule: string;
  readonly textMs: number;
  readonly firstWindowMs: number;
  readonly firstAudioMs: number;
  readonly longestWindowMs: number;
  readonly windowsRtf: number;
  readonly oneShotRtf: number;
  /** `windowsRtf / oneShotRtf`. */
  readonly overhead: number;
}

interface Cost {
  readonly frames: number;
  readonly textMs: number;
  readonly windowMs: readonly number[];
}

export async function measureRtf(runs: number): Promise<readonly RtfRow[]> {
  const model = scanModels(MODELS_DIR).models.find(({ id }) => id === VOICE) as EngineModel;
  const folder = mkdtempSync(join(tmpdir(), 'sidetone-bench-'));
  const { directory, facts } = cutVoice(model.modelPath, [folder]);
  const runner = await StageRunner.open(directory, facts);
  rmSync(folder, { recursive: true });
  const oneShot = await OneShotVoice.open(model);
  const rows: RtfRow[] = [];
  for (const sentence of SENTENCES) {
    for (const [schedule, windows] of Object.entries(WINDOW_SCHEDULES)) {
      const request = {
        ...{
          accountId: 'bench',
          modelFile: VOICE,
          speaker: 14,
          symbols: symbolsOf(sentence),
          seed: 1,
          windows,
        },
        ...{ prosody: NEUTRAL, deadline: () => 0 },
      };
      const { ids } = phonemeIds(request.symbols, model.config);
      const text: TextRequest = { ids, speaker: 14, seed: 1, ...model.config.inference };
      const costs: Cost[] = [];
      const oneShotMs: number[] = [];
      // The first two runs of a shape take memory that later ones have.
      for (let run = 0; run < runs + 2; run++) {
        const cost = await windowedCost(runner, text, windows);
        const wholeMs = (await timed(() => oneShot.speak(request, cost.frames))).cpuMs;
        if (run < 2) continue;
        costs.push(cost);
        oneShotMs.push(wholeMs);
      }
      const speechMs = ((costs[0]?.frames ?? 0) * facts.hopLength * 1000) / model.config.sampleRate;
      rows.push(row({ sentence, schedule, ids, speechMs, costs, oneShotMs }));
    }
  }
  return rows;
}

async function windowedCost(
  runner: StageRunner,
  text: TextRequest,
  schedule: readonly number[],
): Promise<Cost> {
  const { cpuMs: textMs, result: encoding } = await timed(() => runner.text(text));
  const windowMs: number[] = [];
  for (const window of planWindows(schedule, encoding.frames)) {
    windowMs.push((await timed(() => runner.window(encoding, window))).cpuMs);
  }
  return { frames: encoding.frames, textMs, windowMs };
}

async function timed<T>(work: () => Promise<T>): Promise<{ cpuMs: number; result: T }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, result };
}

function row(measured: {
  sentence: string;
  schedule: string;
  ids: readonly number[];
  speechMs: number;
  costs: readonly Cost[];
  oneShotMs: readonly number[];
}): RtfRow {
  const { sentence, schedule, ids, speechMs, costs, oneShotMs } = measured;
  const first = ({ windowMs }: Cost) => windowMs[0] ?? 0;
  const total = ({ textMs, windowMs }: Cost) => textMs + windowMs.reduce((sum, ms) => sum + ms, 0);
  const windowsMs = median(costs.map(total));
  return {
    sentence,
    phonemeIds: ids.length,
    speechMs: round(speechMs),
    schedule,
    textMs: round(median(costs.map(({ textMs }) => textMs))),
    firstWindowMs: round(median(costs.map(first))),
    firstAudioMs: round(median(costs.map((cost) => cost.textMs + first(cost)))),
    longestWindowMs: round(median(costs.map(({ windowMs }) => Math.max(...windowMs)))),
    windowsRtf: round(windowsMs / speechMs, 4),
    oneShotRtf: round(median(oneShotMs) / speechMs, 4),
    overhead: round(windowsMs / median(oneShotMs), 2),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureRtf(7);
  if (process.argv.includes('--json')) console.log(JSON.stringify(rows, undefined, 2));
  else console.table(rows);
}
