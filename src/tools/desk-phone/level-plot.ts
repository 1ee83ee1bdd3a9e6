import type { DeskCallLog } from './call-log.ts';
import { gapsOf } from './gaps.ts';
import { recordingOf } from './recording.ts';

const BARS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** Level of the lowest bar, and of the highest, in dB of full scale. */
const FLOOR_DBFS = -60;
const CEILING_DBFS = -10;
const LABEL_WIDTH = 9;
/** Seconds between the figures under the plot are of these, so that they do not touch. */
const SCALE_STEPS = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600];
const SCALE_MIN_COLUMNS = 9;

/**
 * A call over time in a few lines of text: how loud the bot was and how loud the caller, `×` where
 * the bot ran dry, keys by their digits, `S` where the caller began to speak, `|` where the server
 * cleared.
 *
 * @param columns how many characters the time takes.
 */
export function plotCall(log: DeskCallLog, columns = 72): string {
  const { bot, caller } = recordingOf(log);
  const rows = [
    row('bot', levelBars(bot, columns)),
    row('', eventRow(log, columns)),
    row('caller', levelBars(caller, columns)),
    row('', scale(log.durationMs, columns)),
  ];
  return rows.filter((line) => line.trim() !== '').join('');
}

/** Loudness over time, a bar for each column: RMS, from −60 to −10 dB of full scale. */
export function levelBars(samples: Float32Array, columns: number): string {
  return Array.from({ length: columns }, (_, column) => {
    const start = Math.floor((column * samples.length) / columns);
    const end = Math.floor(((column + 1) * samples.length) / columns);
    return bar(samples.subarray(start, end));
  }).join('');
}

function bar(samples: Float32Array): string {
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
  const level = 10 * Math.log10(energy / Math.max(1, samples.length));
  const share = (level - FLOOR_DBFS) / (CEILING_DBFS - FLOOR_DBFS);
  const step = Math.ceil(share * (BARS.length - 1));
  return BARS[Math.min(BARS.length - 1, Math.max(0, step))] ?? ' ';
}

function eventRow(log: DeskCallLog, columns: number): string {
  const cells = Array.from({ length: columns }, () => ' ');
  const columnOf = (atMs: number) =>
    Math.min(columns - 1, Math.floor((atMs / Math.max(1, log.durationMs)) * columns));
  for (const { startMs, lengthMs, type } of gapsOf(log)) {
    if (type !== 'underrun') continue;
    cells.fill('×', columnOf(startMs), columnOf(startMs + lengthMs) + 1);
  }
  for (const { atMs } of log.clears) cells[columnOf(atMs)] = '|';
  for (const { type, atMs, label } of log.moments) {
    cells[columnOf(atMs)] = type === 'key' ? label : 'S';
  }
  return cells.join('');
}

function scale(durationMs: number, columns: number): string {
  const seconds = Math.max(0.001, durationMs / 1000);
  const step =
    SCALE_STEPS.find((each) => (each / seconds) * columns >= SCALE_MIN_COLUMNS) ??
    (SCALE_STEPS.at(-1) as number);
  let line = '';
  for (let second = 0; second < seconds; second += step) {
    line = `${line.padEnd(Math.floor((second / seconds) * columns))}${second} s`;
  }
  return line;
}

function row(label: string, content: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${content}`.trimEnd().concat('\n');
}
