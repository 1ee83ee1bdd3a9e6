import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseOutputFormat } from '../../domain/audio.ts';
import { readWav, type WavAudio } from '../../synthesis/audio/wav.ts';
import { type CallReport, reportOf } from '../desk-phone/call-report.ts';
import type { DeskPhone } from '../desk-phone/desk-phone.ts';
import { plotCall } from '../desk-phone/level-plot.ts';
import { PhoneError } from '../desk-phone/phone-error.ts';
import { type CallPlan, isKeys } from '../desk-phone/phone-script.ts';
import { type CallTarget, placeCall } from '../desk-phone/place-call.ts';
import { reportHead, reportText } from '../desk-phone/report-text.ts';
import { SIDES } from '../desk-phone/sides/registry.ts';
import { type CallAddress, callAddress } from './call-address.ts';
import { type Recordings, recordingsOf, writeRecordings } from './call-recordings.ts';
import { CliError } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

interface CallOptions {
  readonly carrier: CallTarget['carrier'];
  readonly line: string;
  readonly say?: string;
  readonly dtmf: string;
  readonly seconds?: number;
  readonly bargeInAt?: number;
  readonly noise: boolean;
  readonly format?: string;
  readonly variant?: string;
  readonly from?: string;
  readonly to?: string;
  readonly param: Readonly<Record<string, string>>;
  readonly record?: readonly string[];
  readonly output?: string;
  readonly json: boolean;
}

const EXAMPLES = `
The phone plays the carrier's side of its media protocol, against a Sidetone or any other server
that speaks it (--url ws://…, wss://…, or tcp://host:port for audiosocket).

Examples:
  sidetone call --carrier twilio --dtmf "1w2#" -o call
  sidetone say "Wait. What does it cost?" -o question.wav
  sidetone call --carrier asterisk --say question.wav --barge-in-at 2 --record me.wav bot.wav
  sidetone call --carrier vonage --url wss://bot.example.com/socket --seconds 20 --json`;

/** `sidetone call`: a phone on the desk. */
export function addCallCommand(program: Command, terminal: Terminal): void {
  program
    .command('call')
    .description("Place a test call: play a carrier's side, record both ends and measure them.")
    .addOption(
      new Option('--carrier <name>', 'whose media protocol to speak')
        .choices(Object.keys(SIDES))
        .makeOptionMandatory(),
    )
    .option('--line <id>', 'line of the Sidetone server', 'default')
    .option('--say <file>', 'WAV file that the caller says; any rate')
    .option('--dtmf <keys>', 'keys to press; w waits half a second, W a whole one', keys, '')
    .option('--seconds <n>', 'hang up then (default: when the other side is done)', seconds)
    .option('--barge-in-at <s>', 'say and press so long after the first word is heard', seconds)
    .option('--noise', 'comfort noise instead of silence where the caller is silent', false)
    .option('--format <name>', 'of the audio, where the carrier has a choice, such as pcm_16000')
    .option(
      '--variant <name>',
      'asterisk: json, plain; freeswitch: audio_stream(_raw, _kill), audio_fork',
    )
    .option('--from <number>', 'who calls')
    .option('--to <number>', 'who is called')
    .option('--param <k=v>', 'parameter of the stream; may be given again', parameter, {})
    .option('--record <files...>', 'write caller.wav and bot.wav, in this order')
    .option('-o, --output <folder>', 'write caller.wav, bot.wav and report.json into it')
    .option('--json', 'print the report as JSON', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: CallOptions, command: Command) => {
      const recordings = recordingsOf(options.record, options.output);
      const address = await callAddress(options, command.optsWithGlobals(), terminal.environment);
      const phone = await call(options, address);
      await finish(phone, { options, address, recordings, terminal });
    });
}

async function call(options: CallOptions, { url, apiKey, callId }: CallAddress) {
  const speech = options.say === undefined ? undefined : await readSpeech(options.say);
  const { carrier, from, to, variant } = options;
  const target: CallTarget = {
    carrier,
    url,
    apiKey,
    callId,
    variant,
    parameters: options.param,
    format: options.format === undefined ? undefined : parseOutputFormat(options.format),
    background: options.noise ? 'noise' : 'silence',
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  return placeCall(target, planOf(options), speech).catch((thrown: unknown) => {
    throw thrown instanceof PhoneError ? cliError(thrown) : thrown;
  });
}

function planOf({ dtmf, say, seconds: length, bargeInAt }: CallOptions): CallPlan {
  if (bargeInAt !== undefined && say === undefined && dtmf === '') {
    throw new CliError(
      '--barge-in-at needs something to interrupt with: --say or --dtmf.',
      'usage',
    );
  }
  return {
    keys: dtmf,
    speaks: say !== undefined,
    bargeInMs: bargeInAt === undefined ? undefined : 1000 * bargeInAt,
    hangUpAtMs: length === undefined ? undefined : 1000 * length,
  };
}

interface Finish {
  readonly options: CallOptions;
  readonly address: CallAddress;
  readonly recordings: Recordings | undefined;
  readonly terminal: Terminal;
}

async function finish(
  { log }: DeskPhone,
  { options, address, recordings, terminal }: Finish,
): Promise<void> {
  const report = reportOf(log);
  if (recordings) await writeRecordings(recordings, log, report);
  const text = options.json ? `${JSON.stringify(report, null, 2)}\n` : readable(report, address);
  terminal.stdout.write(options.json ? text : `${text}\n${plotCall(log)}`);
  if (recordings) terminal.stderr.write(`Recorded ${recordings.caller} and ${recordings.bot}.\n`);
  if (report.endedBy === 'mishap') throw new CliError(report.ending ?? 'It broke.', 'failed');
}

function readable(report: CallReport, { url }: CallAddress): string {
  return `${reportHead(report, `${url.protocol}//${url.host}${url.pathname}`)}\n${reportText(report)}`;
}

async function readSpeech(path: string): Promise<WavAudio> {
  const file = await readFile(path).catch((cause: Error) => {
    throw new CliError(`Cannot read ${path}: ${cause.message}`, 'usage', { cause });
  });
  return readWav(file);
}

function cliError(error: PhoneError): CliError {
  const reason = { unsuitable: 'usage', unreachable: 'unreachable', refused: 'failed' } as const;
  return new CliError(error.message, reason[error.reason], { cause: error });
}

function keys(text: string): string {
  if (isKeys(text)) return text;
  throw new InvalidArgumentError('Keys are 0–9, *, #, A–D; w and W wait.');
}

function seconds(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (number >= 0 && number <= 86_400) return number;
  throw new InvalidArgumentError('Give a number of seconds.');
}

function parameter(
  text: string,
  before: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const equals = text.indexOf('=');
  if (equals > 0) return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
  throw new InvalidArgumentError('Give it as name=value.');
}
