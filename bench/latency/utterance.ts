import { parseOutputFormat } from '../../src/domain/audio.ts';
import { sampleCodecOf } from '../../src/synthesis/audio/codec.ts';
import { tokens } from './replies.ts';
import { type Arrival, SpeechRefused, SpeechSocket, type SpeechTarget } from './speech-socket.ts';

const ONSET_WINDOW_MS = 5;
const ONSET_RMS = 10 ** (-40 / 20);
/** Nobody stays on the line for longer; what is this late is reported as never having come. */
const GIVE_UP_MS = 30_000;

/** One piece of speech as its client saw it. */
export interface Utterance {
  /** When the frame went out that the waiting is counted from. */
  readonly sentAtMs: number;
  readonly arrivals: readonly Arrival[];
}

/** How the text is written: all of it in one flushed frame, or token by token as it is generated. */
export type Writing = 'at once' | { readonly tokensPerSecond: number };

/**
 * Has one reply spoken on a connection of its own, opened beforehand.
 *
 * @param until `onset` hangs up as soon as speech is heard, `end` listens to the last frame.
 * @throws SpeechRefused when the server refuses, fails, or says nothing for 30 s.
 */
export async function speak(
  target: SpeechTarget,
  reply: string,
  writing: Writing,
  until: 'onset' | 'end',
): Promise<Utterance> {
  const socket = await SpeechSocket.open(target);
  const giveUp = setTimeout(() => socket.hangUp(), GIVE_UP_MS);
  try {
    const sentAtMs = performance.now();
    const written = write(socket, reply, writing);
    if (until === 'end') {
      await socket.ended;
    } else {
      await socket.hears((arrivals) => leadingSilenceMs(arrivals, target.formatName) !== null);
      socket.hangUp();
    }
    await written;
    if (socket.arrivals.length === 0) {
      await socket.ended;
      throw new SpeechRefused('no_audio', 'The speech ended without audio.');
    }
    return { sentAtMs, arrivals: socket.arrivals };
  } finally {
    clearTimeout(giveUp);
    socket.hangUp();
  }
}

/** From the frame that is counted from to the first audio. */
export function firstAudioMs({ sentAtMs, arrivals }: Utterance): number {
  return (arrivals[0] as Arrival).atMs - sentAtMs;
}

/** How long a stretch of encoded audio sounds. @throws RangeError for mp3 and Opus, which are not told by their length. */
export function durationMs(bytes: number, formatName: string): number {
  const format = parseOutputFormat(formatName);
  return (1000 * bytes) / (format.sampleRate * sampleCodecOf(format).bytesPerSample);
}

/** Audio before the first 5 ms whose level is over −40 dBFS (RMS); null when all of it is below. */
export function leadingSilenceMs(arrivals: readonly Arrival[], formatName: string): number | null {
  const format = parseOutputFormat(formatName);
  const samples = sampleCodecOf(format).decode(Buffer.concat(arrivals.map(({ audio }) => audio)));
  const window = Math.round((format.sampleRate * ONSET_WINDOW_MS) / 1000);
  let energy = 0;
  for (let index = 0; index < samples.length; index++) {
    energy += (samples[index] as number) ** 2 - (samples[index - window] ?? 0) ** 2;
    if (index + 1 >= window && Math.sqrt(energy / window) > ONSET_RMS) {
      return (1000 * (index + 1 - window)) / format.sampleRate;
    }
  }
  return null;
}

/** Tokens go out on a fixed beat from the first, however late a timer was. */
async function write(socket: SpeechSocket, reply: string, writing: Writing): Promise<void> {
  if (writing === 'at once') {
    socket.send({ text: `${reply} `, flush: true });
  } else {
    const startMs = performance.now();
    for (const [index, token] of tokens(reply).entries()) {
      const dueMs = startMs + (1000 * index) / writing.tokensPerSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
      if (!socket.send({ text: token })) return;
    }
  }
  socket.send({ text: '' });
}
