import { setImmediate as nextTurn } from 'node:timers/promises';
import { splitClauses } from '../../src/synthesis/phonemes/clauses.ts';
import { policyForLevel } from '../../src/synthesis/text/chunk-policy.ts';
import { type Chunk, Chunker } from '../../src/synthesis/text/chunker.ts';
import { RuleIndex } from '../../src/synthesis/text/dictionary/rule-index.ts';
import { applyRules } from '../../src/synthesis/text/dictionary/ruled-text.ts';
import { english } from '../../src/synthesis/text/normaliser/en/english.ts';
import { printTable, round, verdict } from '../latency/report.ts';

const MESSAGE_UNITS = 65_536;
const RUNS = 3;
/** Promised: how long the thread that hands audio on works on text without a break. */
const PROMISED_SLICE_MS = 5;
const PROSE =
  'Your appointment with Dr. Smith is on March 3rd at 2:15 pm, and it costs $42.50 or 100%. ';
const SHAPES: readonly string[] = [
  ...[PROSE, '1,', '0.', '@', '-5 -5 ', '#####', 'a', '%', '"', '(', ' ', '.', 'a.', '1/'],
  ...['的', '👩\u200d👧', 'e\u0301'],
];
/** Every word of the prose that it finds becomes hundreds of signs, as many as are let in. */
const SWELLING = new RuleIndex(
  ['Smith', 'March', 'costs', 'aa'].map((stringToReplace) => ({
    ...{ type: 'alias' as const, stringToReplace, alias: '%'.repeat(500) },
    ...{ caseSensitive: true, wordBoundaries: false },
  })),
);

interface ShapeFigures {
  readonly shape: string;
  readonly chunks: number;
  /** To cut a quarter of the text, and all of it. */
  readonly quarterMs: number;
  readonly wholeMs: number;
  /** The longest slice of the chunker. */
  readonly cutSliceMs: number;
  /** The longest time that one chunk takes before it goes to the phonemiser. */
  readonly prepareSliceMs: number;
  readonly swellingSliceMs: number;
}

/** What text costs the main thread: 64 KiB of every hostile shape, slice by slice. */
export async function textSlices(): Promise<readonly ShapeFigures[]> {
  const rows: ShapeFigures[] = [];
  for (const shape of SHAPES) rows.push(await measure(shape));
  printTable(
    'Text on the main thread, ms for 64 KiB; each longest slice is the best of some runs',
    rows.map((row) => ({
      shape: JSON.stringify(row.shape.slice(0, 12)),
      chunks: row.chunks,
      'cut 16 KiB': round(row.quarterMs, 1),
      'cut 64 KiB': round(row.wholeMs, 1),
      'longest cut': round(row.cutSliceMs, 2),
      'longest prepare': round(row.prepareSliceMs, 2),
      'with a swelling dictionary': round(row.swellingSliceMs, 2),
    })),
  );
  const longest = rows.flatMap((row) => [
    ...[row.cutSliceMs, row.prepareSliceMs, row.swellingSliceMs],
  ]);
  console.log(`\n  Longest slice: ${verdict(Math.max(...longest), PROMISED_SLICE_MS)} ms`);
  return rows;
}

async function measure(shape: string): Promise<ShapeFigures> {
  const message = shape.repeat(Math.ceil(MESSAGE_UNITS / shape.length)).slice(0, MESSAGE_UNITS);
  const figures: Array<Omit<ShapeFigures, 'shape' | 'chunks'>> = [];
  let chunks: readonly Chunk[] = [];
  for (let run = 0; run < RUNS; run++) {
    const quarter = cut(message.slice(0, MESSAGE_UNITS / 4));
    const whole = cut(message);
    ({ chunks } = whole);
    await nextTurn();
    figures.push({
      quarterMs: sum(quarter.sliceMs),
      wholeMs: sum(whole.sliceMs),
      cutSliceMs: Math.max(...whole.sliceMs),
      prepareSliceMs: longestPreparation(chunks, []),
      swellingSliceMs: longestPreparation(chunks, [SWELLING]),
    });
  }
  const least = (of: keyof (typeof figures)[number]) => Math.min(...figures.map((row) => row[of]));
  return {
    ...{ shape, chunks: chunks.length, quarterMs: least('quarterMs'), wholeMs: least('wholeMs') },
    cutSliceMs: least('cutSliceMs'),
    prepareSliceMs: least('prepareSliceMs'),
    swellingSliceMs: least('swellingSliceMs'),
  };
}

function cut(message: string): { readonly chunks: readonly Chunk[]; readonly sliceMs: number[] } {
  const chunker = new Chunker(policyForLevel(3), 'en');
  const slices = chunker.push(message);
  const chunks: Chunk[] = [];
  const sliceMs: number[] = [];
  for (let isDone = false; !isDone; ) {
    const startMs = performance.now();
    const slice = slices.next();
    sliceMs.push(performance.now() - startMs);
    if (slice.done) isDone = true;
    else chunks.push(...slice.value);
  }
  return { chunks: [...chunks, ...chunker.flush()], sliceMs };
}

function longestPreparation(chunks: readonly Chunk[], dictionaries: readonly RuleIndex[]): number {
  let longestMs = 0;
  for (const chunk of chunks) {
    const startMs = performance.now();
    const { map } = applyRules(chunk.text, dictionaries, (written) => english.normalise(written));
    splitClauses(map.spoken, 'en-us');
    longestMs = Math.max(longestMs, performance.now() - startMs);
  }
  return longestMs;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
