import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { Summary } from './statistics.ts';

/** More than this before a bench begins, and its times are not the program's alone. */
const BUSY_LOAD = 0.5;

export type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

/** Prints rows of the same keys as a table: the keys are its head, numbers stand right. */
export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => cellText(row[column]).length)),
  );
  const line = (row: Row | undefined) =>
    columns
      .map((column, index) => {
        const value = row ? row[column] : column;
        const isText = rows.every((each) => typeof each[column] === 'string');
        const text = cellText(value);
        return isText ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0);
      })
      .join('  ');
  console.log(`\n${title}\n`);
  console.log(`  ${line(undefined)}`);
  console.log(`  ${widths.map((width) => '─'.repeat(width)).join('  ')}`);
  for (const row of rows) console.log(`  ${line(row)}`);
}

/** Columns of a summary in milliseconds. */
export function millisecondCells(summary: Summary, digits = 1): Row {
  const { n, ...rest } = summary;
  return {
    n,
    ...Object.fromEntries(Object.entries(rest).map(([name, ms]) => [name, round(ms, digits)])),
  };
}

export function round(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}

/** How a figure compares with what it should reach. */
export function verdict(value: number | null, limit: number): string {
  if (value === null) return 'not measured';
  return value <= limit ? `ok (≤ ${limit})` : `MISSED (≤ ${limit})`;
}

/**
 * Warns when something else keeps this machine busy.
 *
 * @returns how many threads wanted to run, on average over the last minute.
 */
export function warnIfBusy(): number {
  const [load = 0] = loadavg();
  if (load > BUSY_LOAD) {
    console.log(
      `\nThis machine is busy already (load ${load.toFixed(1)}): times will be upper bounds.`,
    );
  }
  return load;
}

/** Writes everything that was measured, with the machine that it was measured on, and says where. */
export function writeResults(startedAt: Date, results: Readonly<Record<string, unknown>>): void {
  const folder = new URL('../results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}.json`, folder);
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
  };
  const document = { startedAt: startedAt.toISOString(), machine, ...results };
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`\nWritten to bench/results/${file.pathname.split('/').at(-1)}`);
}

function cellText(value: Cell | undefined): string {
  return value === null || value === undefined ? '–' : String(value);
}
