import { type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { logOptions } from './log-options.ts';

interface LoggerSettings {
  readonly level: string;
  /** `auto`: short coloured lines on a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty';
}

/** A place for the log other than standard output. */
type LogOutput = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** As wide as the longest name of a level. */
const LEVEL_WIDTH = 5;

/** The server's one logger. Secrets are redacted before any format sees a line. */
export function openLogger({ level, format }: LoggerSettings, output?: LogOutput): Logger {
  const isTerminal = (output ?? process.stdout).isTTY === true;
  const destination = output ?? pino.destination(process.stdout.fd);
  const isPretty = format === 'pretty' || (format === 'auto' && isTerminal);
  if (!isPretty) return pino(logOptions(level), destination);
  const pretty = PinoPretty({
    colorize: isTerminal,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    singleLine: true,
    customPrettifiers: {
      level: (_level, _key, _log, { label, labelColorized }) =>
        labelColorized + ' '.repeat(LEVEL_WIDTH - label.length),
    },
    destination,
  });
  return pino(logOptions(level), pretty);
}
