import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { OutputFormat } from '../../domain/audio.ts';
import { wavFile } from '../../synthesis/audio/wav.ts';
import type { SpokenFrame } from '../../synthesis/speech/text-reader.ts';
import type { Generation } from './generation.ts';
import type { Presence } from './presence.ts';
import type { ReplyForm } from './reply-form.ts';
import { emptyText } from './text-request.ts';

/** What speech is answered with, and to whom. */
export interface ReplyParts {
  readonly generation: Generation;
  readonly presence: Presence;
  readonly reply: FastifyReply;
  readonly format: OutputFormat;
  readonly form: ReplyForm;
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
    return reply.type(form.contentType(format, false)).send(form.whole(audio, generation));
  } finally {
    await generation.giveUp(presence.hasLeft ? madeChars : 0);
  }
}

/**
 * Answers from the first frame on, as fast as the caller reads, and cuts them off when they take
 * nothing for `writeDeadlineMs` (30 000 unless given). Work that fails before the first frame is an
 * error like any other; after it the connection breaks off, unless the form has words for it: an error
 * has no place in the middle of audio.
 */
export async function replyInStream(
  answer: ReplyParts,
  writeDeadlineMs = DEFAULT_WRITE_DEADLINE_MS,
) {
  const { generation, presence, reply, format, form } = answer;
  const frames = heardFrames(answer);
  const first = await frames.next();
  if (first.done) throw emptyText();
  if (presence.signal.aborted) {
    await frames.return();
    throw presence.signal.reason;
  }
  const cut = () => {
    reply.log.warn({ code: 'client_too_slow' }, 'the client stopped reading audio');
    presence.cut();
  };
  const pieces = written(rejoined(first.value, frames), answer);
  const body = Readable.from(paced(pieces, writeDeadlineMs, cut));
  // A caller who goes now never has it read, and a generator that was never read cleans nothing up.
  body.once('close', () => void frames.return());
  reply.headers(generation.headers);
  reply.type(form.contentType(format, true));
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

async function* rejoined<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T, void> {
  yield first;
  yield* rest;
}

/** What goes over the wire before the frames, for them, and after them. */
async function* written(
  frames: AsyncIterable<SpokenFrame>,
  { form, generation, presence }: ReplyParts,
): AsyncGenerator<Uint8Array | string, void> {
  if (form.lead) yield form.lead;
  try {
    for await (const frame of frames) yield form.frame(frame);
  } catch (thrown) {
    if (!form.failure || presence.hasLeft) throw thrown;
    yield form.failure(thrown);
    return;
  }
  if (form.end) yield form.end(generation);
}

async function* paced<T>(
  pieces: AsyncIterable<T>,
  deadlineMs: number,
  cut: () => void,
): AsyncGenerator<T, void> {
  for await (const piece of pieces) {
    const deadline = setTimeout(cut, deadlineMs);
    try {
      yield piece;
    } finally {
      clearTimeout(deadline);
    }
  }
}

function audioFile(format: OutputFormat, encoded: Uint8Array): Uint8Array {
  return format.contentType === 'audio/wav' ? wavFile(format, encoded) : encoded;
}
