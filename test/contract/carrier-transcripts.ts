import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { CarrierMessage } from '../../src/domain/carrier.ts';
import { SpeechError } from '../../src/domain/errors.ts';
import type {
  Carrier,
  CarrierDialect,
  CarrierEvent,
  StreamRequest,
} from '../../src/phone/calls/carrier.ts';

/**
 * Bytes or text on the wire. An object is written as JSON and compared as such; a string is the text
 * itself; `{"hex":"…"}` is binary, `times` as often.
 */
type WireMessage = string | { readonly hex: string; readonly times?: number } | object;
/** Audio: Base64, or hexadecimal digits so many times. */
type WrittenAudio = string | { readonly hex: string; readonly times?: number };
type Verb = 'play' | 'clear' | 'mark' | 'done' | 'hangUp';

/** One line of a transcript. */
interface TranscriptLine {
  /** Where the sequence is from. */
  readonly about?: string;
  /** What the connection was opened with. */
  readonly open?: { readonly query?: Record<string, string>; readonly headers?: object };
  readonly from?: 'carrier' | 'us';
  readonly message?: WireMessage;
  /** What the carrier's message before it says; formats by name, audio as `WrittenAudio`. */
  readonly event?: { readonly type: string } & Readonly<Record<string, unknown>>;
  /** Part of the message of the error with which the carrier's message before it is refused. */
  readonly refused?: string;
  readonly do?: Verb;
  readonly audio?: WrittenAudio;
  readonly name?: string;
}

export interface Transcript {
  readonly name: string;
  readonly lines: readonly TranscriptLine[];
}

const FOLDER = resolve(import.meta.dirname, '../fixtures/carriers');

/** The transcripts of a carrier: `test/fixtures/carriers/NAME/*.jsonl`. */
export function transcriptsOf(carrier: string): readonly Transcript[] {
  const folder = join(FOLDER, carrier);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => ({
      name: `${carrier}/${file}`,
      lines: readFileSync(join(folder, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as TranscriptLine),
    }));
}

export function requestOf({ lines }: Transcript): StreamRequest {
  const open = lines.find((line) => line.open)?.open ?? {};
  return { headers: { ...open.headers }, query: open.query ?? {} };
}

export function openDialect(carrier: Carrier, transcript: Transcript): CarrierDialect {
  const request = requestOf(transcript);
  return (carrier.variant?.(request) ?? carrier).open(request);
}

/** What the carrier says in a transcript, in order. */
export function carrierMessages({ lines }: Transcript): readonly CarrierMessage[] {
  return lines.filter(({ from }) => from === 'carrier').map(({ message }) => wire(message ?? ''));
}

/** Plays a transcript through and holds the dialect to every word of it. */
export function replay(carrier: Carrier, transcript: Transcript): void {
  const dialect = openDialect(carrier, transcript);
  const lines = transcript.lines.filter((line) => !line.about && !line.open);
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] as TranscriptLine;
    const where = `${transcript.name}, step ${index + 1}`;
    index++;
    const answers: TranscriptLine[] = [];
    while (index < lines.length && isAnswer(lines[index] as TranscriptLine)) {
      answers.push(lines[index] as TranscriptLine);
      index++;
    }
    if (line.do) checkVerb(dialect, line, answers, where);
    else checkMessage(dialect, line, answers, where);
  }
}

function isAnswer(line: TranscriptLine): boolean {
  return line.event !== undefined || line.refused !== undefined || line.from === 'us';
}

function checkVerb(
  dialect: CarrierDialect,
  line: TranscriptLine,
  answers: readonly TranscriptLine[],
  where: string,
): void {
  const sent = carryOut(dialect, line);
  expect(sent.map(comparable), where).toEqual(
    answers.map(({ message }) => comparable(wire(message ?? ''))),
  );
}

function carryOut(dialect: CarrierDialect, line: TranscriptLine): readonly CarrierMessage[] {
  const { do: verb } = line;
  if (verb === undefined) throw new Error('A line of the transcript does nothing.');
  switch (verb) {
    case 'play':
      return dialect.play(audioOf(line.audio ?? ''));
    case 'mark':
      return dialect.mark(line.name ?? '');
    case 'clear':
      return dialect.clear();
    case 'done':
      return dialect.done();
    case 'hangUp':
      return dialect.hangUp();
  }
}

function checkMessage(
  dialect: CarrierDialect,
  line: TranscriptLine,
  answers: readonly TranscriptLine[],
  where: string,
): void {
  const message = wire(line.message ?? '');
  const refusal = answers.find(({ refused }) => refused !== undefined)?.refused;
  if (refusal !== undefined) {
    const thrown = thrownBy(() => dialect.receive(message));
    expect(thrown, where).toBeInstanceOf(SpeechError);
    expect((thrown as SpeechError).message, where).toContain(refusal);
    return;
  }
  const events = dialect.receive(message);
  const replies = answers.filter(({ from }) => from === 'us').map((answer) => answer.message);
  const told = answers.flatMap(({ event }) => (event ? [event] : []));
  expect(events.filter(({ type }) => type !== 'reply').map(written), where).toEqual(
    told.map(normalised),
  );
  const sent = events.flatMap((event) => (event.type === 'reply' ? event.messages : []));
  expect(sent.map(comparable), where).toEqual(
    replies.map((reply) => comparable(wire(reply ?? ''))),
  );
}

export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

/** An event as transcripts write it. */
function written(event: CarrierEvent): Record<string, unknown> {
  if (event.type === 'caller-audio') {
    return { ...event, audio: Buffer.from(event.audio).toString('base64') };
  }
  if (event.type !== 'start') return { ...event };
  const { callerFormat, spokenFormat, ...start } = event.start;
  const formats = { callerFormat: callerFormat.name, spokenFormat: spokenFormat.name };
  return withoutUndefined({ type: 'start', start: withoutUndefined({ ...start, ...formats }) });
}

function normalised(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (event['type'] !== 'caller-audio') return event;
  const bytes = audioOf(event['audio'] as WrittenAudio);
  return { ...event, audio: Buffer.from(bytes).toString('base64') };
}

function withoutUndefined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function audioOf(audio: WrittenAudio): Uint8Array {
  return typeof audio === 'string' ? Buffer.from(audio, 'base64') : hexBytes(audio);
}

function hexBytes({ hex, times = 1 }: { readonly hex: string; readonly times?: number }): Buffer {
  return Buffer.from(hex.repeat(times), 'hex');
}

function wire(message: WireMessage): CarrierMessage {
  if (typeof message === 'string') return message;
  return 'hex' in message ? hexBytes(message) : JSON.stringify(message);
}

/** JSON is the same in whichever order its fields stand. */
function comparable(message: CarrierMessage): unknown {
  if (typeof message !== 'string') return `binary ${Buffer.from(message).toString('hex')}`;
  try {
    return JSON.parse(message);
  } catch {
    return message;
  }
}
