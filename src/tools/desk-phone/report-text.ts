import type { CallReport, MomentReport } from './call-report.ts';
import type { GapSum } from './gaps.ts';

const LABEL_WIDTH = 13;

/** A report as lines for people. */
export function reportText(report: CallReport): string {
  const lines: [string, string][] = [
    ['first audio', firstAudio(report)],
    [
      'heard',
      `${seconds(report.heardMs)} in ${count(report.messages, 'message')}, ${grouped(report.bytes)} bytes`,
    ],
    ['underruns', gapText(report.underruns)],
    ['pauses', gapText(report.pauses)],
    ['lead', leadText(report)],
    ['marks', marksText(report)],
  ];
  if (report.droppedMs > 0)
    lines.push(['dropped', `${seconds(report.droppedMs)} that did not fit`]);
  for (const clear of report.clears) {
    const silence =
      clear.silentAfterMs === null
        ? 'nothing was being heard'
        : `silent after ${milliseconds(clear.silentAfterMs)}`;
    const dropped = `${seconds(clear.droppedMs)} dropped`;
    lines.push([`clear`, `at ${seconds(clear.atMs)}: ${silence}, ${dropped}`]);
  }
  for (const moment of report.moments) lines.push(momentLine(moment));
  for (const { text, count: times } of report.findings) {
    lines.push(['finding', times === 1 ? text : `${text} (${times} times)`]);
  }
  if (report.findings.length === 0) lines.push(['findings', 'none']);
  return lines.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}\n`).join('');
}

/** One line over everything: what was called, for how long, and how it ended. */
export function reportHead(report: CallReport, address: string): string {
  const ending = report.ending ?? 'It goes on.';
  return `${report.carrier}, ${report.format}, ${address}\n${seconds(report.durationMs)} on the line. ${ending}\n`;
}

function firstAudio({ firstAudioMs, firstSoundMs }: CallReport): string {
  if (firstAudioMs === null) return 'none';
  const sound =
    firstSoundMs === null
      ? 'nothing but silence'
      : `first sound after ${milliseconds(firstSoundMs)}`;
  return `${milliseconds(firstAudioMs)} after the greeting, ${sound}`;
}

function gapText({ count: gaps, totalMs, longestMs }: GapSum): string {
  if (gaps === 0) return 'none';
  return `${gaps}, ${milliseconds(totalMs)} in all, longest ${milliseconds(longestMs)}`;
}

function leadText({ lead }: CallReport): string {
  if (!lead) return 'none';
  const drift = lead.driftMs === null ? '' : `, drift ${milliseconds(lead.driftMs)}`;
  return `p50 ${milliseconds(lead.p50)}, max ${milliseconds(lead.max)}${drift}`;
}

function marksText({ marks: { asked, answered, cleared } }: CallReport): string {
  if (asked === 0) return 'none';
  const dropped = cleared === 0 ? '' : `, ${cleared} of them by a clear`;
  return `${asked} asked for, ${answered} answered${dropped}`;
}

function momentLine(moment: MomentReport): [string, string] {
  const { type, label, atMs, silentAfterMs, answeredAfterMs } = moment;
  const parts = [
    silentAfterMs === null ? 'not interrupted' : `silent after ${milliseconds(silentAfterMs)}`,
    answeredAfterMs === null ? 'no answer' : `next audio after ${milliseconds(answeredAfterMs)}`,
  ];
  return [type === 'key' ? `key ${label}` : 'speech', `at ${seconds(atMs)}: ${parts.join(', ')}`];
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function milliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}
