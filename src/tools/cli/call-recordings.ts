import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DeskCallLog } from '../desk-phone/call-log.ts';
import type { CallReport } from '../desk-phone/call-report.ts';
import { recordingFile, recordingOf } from '../desk-phone/recording.ts';
import { CliError } from './cli-error.ts';

/** Where a call is recorded. */
export interface Recordings {
  readonly caller: string;
  readonly bot: string;
  readonly report: string | undefined;
}

/** @throws CliError when both are given, or not two files. */
export function recordingsOf(
  files: readonly string[] | undefined,
  folder: string | undefined,
): Recordings | undefined {
  if (files && folder !== undefined) {
    throw new CliError('Give --record or --output, not both.', 'usage');
  }
  if (folder !== undefined) {
    return {
      caller: join(folder, 'caller.wav'),
      bot: join(folder, 'bot.wav'),
      report: join(folder, 'report.json'),
    };
  }
  if (!files) return undefined;
  const [caller, bot, ...others] = files;
  if (caller === undefined || bot === undefined || others.length > 0) {
    throw new CliError("--record takes two files: the caller's and the bot's.", 'usage');
  }
  return { caller, bot, report: undefined };
}

/** @throws CliError when a file cannot be written. */
export async function writeRecordings(
  { caller, bot, report: reportPath }: Recordings,
  log: DeskCallLog,
  report: CallReport,
): Promise<void> {
  const recording = recordingOf(log);
  await write(caller, recordingFile(recording.caller, recording.sampleRate));
  await write(bot, recordingFile(recording.bot, recording.sampleRate));
  if (reportPath !== undefined) await write(reportPath, `${JSON.stringify(report, null, 2)}\n`);
}

async function write(path: string, content: Uint8Array | string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`Cannot write ${path}: ${text}`, 'failed', { cause });
  }
}
