import { type Bench, type Job, LEVELS, TARGET_MS } from './bench.ts';
import { replies } from './replies.ts';
import { millisecondCells, printTable, round, verdict } from './report.ts';
import { summarise } from './statistics.ts';
import { firstAudioMs, speak } from './utterance.ts';

/** Which part of level 3's gain the service description gives to each level. */
const DEFINED_SHARES: Readonly<Record<number, string>> = { 1: '0.50', 2: '0.75', 3: '1', 4: '≥ 1' };

const WRITING = { tokensPerSecond: 50 };

/** First token to speech at every level, and how the levels share the gain. */
export const levels: Job = async (bench) => {
  const results = (await sample(bench)).map(({ level, fttsMs }) => ({
    level,
    fttsMs: summarise(fttsMs),
  }));
  const shares = gainShares(results.map(({ fttsMs }) => fttsMs.p50));
  printTable(
    'FTTS: from the first token to the first audio message, text at 50 tokens a second, ms',
    results.map(({ level, fttsMs }) => ({
      level,
      ...millisecondCells(fttsMs),
      'share of the gain': round(shares[level] ?? null, 2),
      'as defined': DEFINED_SHARES[level] ?? '0',
      'p50 against the target': verdict(fttsMs.p50, TARGET_MS),
    })),
  );
  return results.map((result) => ({ ...result, gainShare: shares[result.level] ?? null }));
};

/** (T₀ − Tₙ) / (T₀ − T₃) of the medians, one a level. */
export function gainShares(medians: readonly (number | null)[]): Array<number | null> {
  const [slowest, , , fastest] = medians;
  if (slowest == null || fastest == null || slowest === fastest) return [];
  return medians.map((median) =>
    median === null ? null : (slowest - median) / (slowest - fastest),
  );
}

async function sample({ samples, target }: Bench) {
  const text = replies(2);
  const rows = LEVELS.map((level) => ({ level, fttsMs: [] as number[] }));
  for (let round = 0; round < samples; round++) {
    const reply = text.next().value;
    for (const { level, fttsMs } of rows) {
      fttsMs.push(firstAudioMs(await speak(target(level), reply, WRITING, 'onset')));
    }
  }
  return rows;
}
