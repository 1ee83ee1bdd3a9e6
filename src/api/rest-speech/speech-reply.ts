import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { OutputFormat } from '../../domain/audio.ts';
import { wavFile } from '../../synthesis/audio/wav.ts';
import type { SpokenFrame } from '../../synthesis/speech/text-reader.ts';
import type { Generation } from './generation.ts';
import type { Presence } from './presence.ts';
import { emptyText } from './text-request.ts';
import { wireTimestamps } from './timestamps.ts';

/** What a reply carries: the audio as it is, or as base64 in JSON that times every character. */
export type ReplyForm = 'audio' | 'timestamps';

/** What speech is answered with, and to whom. */
export interface ReplyParts {
  readonly generation: Generation;
  readonly presence: Presence;
  readonly reply: FastifyReply;
  readonly format: OutputFormat;
  readonly form: ReplyForm;
  /** Of the reply; the format's unless given. */
  readonly contentType?: string;
  /** What a streamed reply begins with, before any audio. */
  readonly lead?: Uint8Array | undefined;
}

const DEFAULT_WRITE_DEADLINE_MS = 30_000;

/**
 * Answers when everything is spoken. A caller who leaves before is charged for what was made for them.
 *
 * @throws SpeechError of the work; nothing has been sent then, and nothing is charged.
 */
export async function replyInOne({ generation, presence, reply, format, form }: ReplyParts) {
  const pieces: Uint8Array[] = [];
  let madeChars = 0;
  try {
    for await (const frame of generation.frames(presence.signal)) {
      pieces.push(frame.audio);
      madeChars = frame.reachedChars;
    }
    if (pieces.length === 0) throw emptyText();
    const audio = audioFile(format, Buffer.concat(pieces));
    await generation.record(audio);
    await generation.complete();
    reply.headers({ ...generation.headers, 'tts-latency-ms': Math.round(reply.elapsedTime) });
    if (form === 'audio') return reply.type(format.contentType).send(audio);
    return reply.send({ audio_base64: base64(audio), ...wireTimestamps(generation.alignment) });
  } finally {
    await generation.giveUp(presence.hasLeft ? madeChars : 0);
  }
}

/**
 * Answers from the first frame on, as fast as the caller reads, and cuts them off when they take
 * nothing for `writeDeadlineMs` (30 000 unless given). Work that fails before the first frame is an error like any other;
 * after it the connection breaks off, because an error has no place in the middle of audio.
 */
export async function replyInStream(
  answer: ReplyParts,
  writeDeadlineMs = DEFAULT_WRITE_DEADLINE_MS,
) {
  const { generation, presence, reply, format, form, lead } = answer;
  const frames = heardFrames(answer);
  const first = await frames.next();
  if (first.done) throw emptyText();
  if (presence.signal.aborted) {
    await frames.return();
    throw presence.signal.reason;
  }
  const encode = form === 'audio' ? audioOf : timestampLine;
  const cut = () => {
    reply.log.warn({ code: 'client_too_slow' }, 'the client stopped reading audio');
    presence.cut();
  };
  const pieces = paced(rejoined(first.value, frames), encode, writeDeadlineMs, cut);
  const body = Readable.from(lead ? rejoined(lead, pieces) : pieces);
  // A caller who goes now never has it read, and a generator that was never read cleans nothing up.
  body.once('close', () => void frames.return());
  reply.headers(generation.headers);
  const { contentType = format.contentType } = answer;
  reply.type(form === 'audio' ? contentType : 'application/x-ndjson');
  return reply.send(body);
}

/** The frames of a generation, which ends with them: complete, broken, or left by its caller. */
async function* heardFrames({
  generation,
  presence,
  reply,
}: ReplyParts): AsyncGenerator<SpokenFrame, void> {
  let heardChars = 0;
  try {
    for await (const frame of generation.frames(presence.signal)) {
      await generation.deliver(frame);
      yield frame;
      // A reader who asks for more has taken it.
      heardChars = frame.reachedChars;
      await generation.record(frame.audio);
    }
    if (heardChars > 0) await generation.complete();
  } catch (thrown) {
    // Before the first frame it becomes an error reply, which is logged like any other.
    if (heardChars > 0 && !presence.hasLeft) reply.log.error({ err: thrown }, 'speech broke off');
    throw thrown;
  } finally {
    await generation.giveUp(heardChars);
  }
}

async function* rejoined<T, F>(first: F, rest: AsyncIterable<T>): AsyncGenerator<T | F, void> {
  yield first;
  yield* rest;
}

async function* paced(
  frames: AsyncIterable<SpokenFrame>,
  encode: (frame: SpokenFrame) => Uint8Array | string,
  deadlineMs: number,
  cut: () => void,
): AsyncGenerator<Uint8Array | string, void> {
  for await (const frame of frames) {
    const deadline = setTimeout(cut, deadlineMs);
    try {
      yield encode(frame);
    } finally {
      clearTimeout(deadline);
    }
  }
}

function audioOf({ audio }: SpokenFrame): Uint8Array {
  return audio;
}

/** One line of newline-delimited JSON. */
function timestampLine({ audio, alignment }: SpokenFrame): string {
  return `${JSON.stringify({ audio_base64: base64(audio), ...wireTimestamps(alignment) })}\n`;
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function audioFile(format: OutputFormat, encoded: Uint8Array): Uint8Array {
  return format.contentType === 'audio/wav' ? wavFile(format, encoded) : encoded;
}
