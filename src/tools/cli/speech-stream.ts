import { WebSocket } from 'ws';
import { CliError, unreachable } from './cli-error.ts';
import { authentication, keyAdvice, refusalText, type ServerAccess } from './server.ts';

const NORMAL_CLOSE = 1000;
/** Longer than any window of speech takes, even on a busy server. */
const SILENCE_LIMIT_MS = 30_000;

export interface SayRequest {
  readonly voiceId: string;
  /** Query parameters of the websocket; absent ones are left to the server. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** In wire spelling, such as `similarity_boost`. */
  readonly voiceSettings: Readonly<Record<string, number>>;
  readonly text: string;
}

export interface Speech {
  readonly audio: Uint8Array;
  /** From the first word sent to the first audio received. */
  readonly firstAudioMs: number;
  /** From the first word sent to the last audio received. */
  readonly allAudioMs: number;
}

interface ServerFrame {
  readonly audio?: string | null;
  readonly isFinal?: boolean | null;
  readonly message?: string;
  readonly error?: string;
}

/**
 * Speaks text over `stream-input`, word by word as a language model would write it.
 *
 * @param onAudio gets each piece as it arrives.
 * @throws CliError with the server's own words.
 */
export function streamSpeech(
  server: ServerAccess,
  request: SayRequest,
  onAudio: (audio: Uint8Array) => void,
): Promise<Speech> {
  const socket = new WebSocket(streamUrl(server, request), {
    headers: authentication(server),
    perMessageDeflate: false,
  });
  const pieces: Uint8Array[] = [];
  let sentAtMs = 0;
  let firstAudioMs = Number.NaN;
  let allAudioMs = Number.NaN;
  return new Promise<Speech>((resolve, reject) => {
    const fail = (error: CliError) => {
      reject(error);
      socket.terminate();
    };
    const silence = setTimeout(() => {
      fail(new CliError(`${server.url} has been silent for too long.`, 'failed'));
    }, SILENCE_LIMIT_MS);
    socket.on('open', () => {
      sentAtMs = performance.now();
      for (const frame of clientFrames(request)) socket.send(JSON.stringify(frame));
    });
    socket.on('message', (data) => {
      silence.refresh();
      const frame = parseJson(String(data)) as ServerFrame | undefined;
      if (!frame || frame.message !== undefined) fail(frameFailure(frame, server));
      if (!frame?.audio) return;
      allAudioMs = performance.now() - sentAtMs;
      if (pieces.length === 0) firstAudioMs = allAudioMs;
      const audio = Buffer.from(frame.audio, 'base64');
      pieces.push(audio);
      onAudio(audio);
    });
    socket.on('unexpected-response', (_request, response) => {
      response.toArray().then((chunks) => {
        const content = parseJson(Buffer.concat(chunks).toString());
        fail(new CliError(refusalText(content, server, response.statusCode ?? 0), 'failed'));
      }, reject);
    });
    socket.on('error', (cause) => fail(connectionFailure(cause, server, sentAtMs > 0)));
    socket.on('close', (code, reason) => {
      clearTimeout(silence);
      if (code === NORMAL_CLOSE)
        resolve({ audio: Buffer.concat(pieces), firstAudioMs, allAudioMs });
      else reject(new CliError(`The server closed the stream (${code}). ${reason}`, 'failed'));
    });
  });
}

function streamUrl(server: ServerAccess, { voiceId, query }: SayRequest): URL {
  const path = `/v1/text-to-speech/${encodeURIComponent(voiceId)}/stream-input`;
  const url = new URL(server.url.replace(/^http/, 'ws') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/** A blank says hello, an empty text says goodbye (PROTOCOL §1). */
function* clientFrames({ text, voiceSettings }: SayRequest): Generator<object> {
  const settings = Object.keys(voiceSettings).length > 0 && { voice_settings: voiceSettings };
  yield { text: ' ', ...settings };
  for (const word of text.match(/\S+/g) ?? []) yield { text: `${word} ` };
  yield { text: '' };
}

function frameFailure(frame: ServerFrame | undefined, server: ServerAccess): CliError {
  const text = frame?.message ?? `${server.url} does not speak as Sidetone does.`;
  return new CliError(
    text + (frame?.error === 'authentication_required' ? keyAdvice(server) : ''),
    'failed',
  );
}

function connectionFailure(cause: Error, server: ServerAccess, wasOpen: boolean): CliError {
  if (!wasOpen) return unreachable(server.url, cause);
  return new CliError(`The connection to ${server.url} broke: ${cause.message}`, 'failed', {
    cause,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
