import { type Command, InvalidArgumentError, Option } from 'commander';
import { playingTimeMs } from '../../synthesis/audio/codec.ts';
import { CliError } from './cli-error.ts';
import { chooseOutput, FORMAT_CHOICES, isLive, type Output, writeOutput } from './output.ts';
import type { ServerAccess } from './server.ts';
import { type Speech, streamSpeech } from './speech-stream.ts';
import type { Terminal } from './terminal.ts';
import { resolveVoiceId } from './voices-command.ts';

interface SayOptions {
  readonly voice?: string;
  readonly format?: string;
  readonly output: string;
  readonly model?: string;
  readonly level: number;
  readonly seed?: number;
  readonly stability?: number;
  readonly similarity?: number;
  readonly style?: number;
  readonly speed?: number;
}

const EXAMPLES = `
Examples:
  sidetone say "Hello, how can I help?" -o hello.wav
  sidetone say "Please hold the line." --voice Ada --format ulaw_8000 -o call.ulaw
  sidetone say "Can you hear me?" --format pcm_16000 -o - | aplay -t raw -f S16_LE -r 16000`;

export function addSayCommand(
  program: Command,
  terminal: Terminal,
  serverOf: (command: Command) => ServerAccess,
): void {
  program
    .command('say')
    .description('Speak a text into a file, streamed word by word over the websocket.')
    .argument('<text>', 'what to say')
    .option('--voice <id or name>', 'who says it (default: the first voice listed)')
    .addOption(
      new Option('--format <name>', 'audio format (default: by file name)').choices(FORMAT_CHOICES),
    )
    .option(
      '-o, --output <file>',
      '.wav has a header, anything else is raw; - is stdout',
      'speech.wav',
    )
    .option('--model <id>', 'model to use')
    .option('--level <0-4>', 'latency level; 3 begins soonest', inRange(0, 4, true), 3)
    .option('--seed <number>', 'repeats the same delivery', inRange(0, 2 ** 32 - 1, true))
    .option('--stability <0-1>', 'lower varies more', inRange(0, 1))
    .option('--similarity <0-1>', 'closeness to the voice', inRange(0, 1))
    .option('--style <0-1>', 'more pitch and rhythm movement', inRange(0, 1))
    .option('--speed <0.7-1.2>', 'pace', inRange(0.7, 1.2))
    .addHelpText('after', EXAMPLES)
    .action(async (text: string, options: SayOptions, command: Command) => {
      if (text.trim() === '') throw new CliError('There is no text to say.', 'usage');
      const output = chooseOutput(options.output, options.format);
      const speech = await say(serverOf(command), text, options, output, terminal);
      terminal.stderr.write(report(speech, output));
    });
}

async function say(
  server: ServerAccess,
  text: string,
  options: SayOptions,
  output: Output,
  terminal: Terminal,
): Promise<Speech> {
  const voiceId = await resolveVoiceId(server, options.voice);
  const query = {
    output_format: output.format.name,
    model_id: options.model,
    optimize_streaming_latency: options.level.toString(),
    seed: options.seed?.toString(),
  };
  const live = isLive(output);
  const request = { voiceId, query, voiceSettings: voiceSettings(options), text };
  const speech = await streamSpeech(server, request, (audio) => {
    if (live) terminal.stdout.write(audio);
  });
  if (speech.audio.length === 0) throw new CliError('The server sent no audio.', 'failed');
  if (!live) await writeOutput(output, speech.audio, terminal.stdout);
  return speech;
}

function voiceSettings({
  stability,
  similarity,
  style,
  speed,
}: SayOptions): Record<string, number> {
  return {
    ...(stability !== undefined && { stability }),
    ...(similarity !== undefined && { similarity_boost: similarity }),
    ...(style !== undefined && { style }),
    ...(speed !== undefined && { speed }),
  };
}

function report({ audio, firstAudioMs, allAudioMs }: Speech, { path, format }: Output): string {
  const durationMs = playingTimeMs(format, audio);
  const place = path === '-' ? 'stdout' : path;
  return `${place}: ${(durationMs / 1000).toFixed(2)} s of ${format.name}, first audio after ${Math.round(firstAudioMs)} ms, all of it after ${Math.round(allAudioMs)} ms: ${(durationMs / allAudioMs).toFixed(1)} times as fast as it plays.\n`;
}

function inRange(low: number, high: number, whole = false): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (number >= low && number <= high && (!whole || Number.isInteger(number))) return number;
    throw new InvalidArgumentError(`Give a ${whole ? 'whole ' : ''}number from ${low} to ${high}.`);
  };
}
