import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import { resolveModel } from '../../domain/model.ts';
import { assertFormatAllowed } from '../../service/account/tiers.ts';
import { SpeakingTurns } from '../../synthesis/speech/speaking-turns.ts';
import type { SpeechWishes, VoicingParts } from '../../synthesis/speech/voicing.ts';
import { traceIdOf } from '../websocket/trace-id.ts';
import { text } from './connect-query.ts';
import type { StreamServices } from './stream-services.ts';

/**
 * Contexts of one connection that may speak at once. As many as may be open, so that only those of
 * a client that closes them faster than they are spoken ever wait for each other.
 */
const SPEAKING_AT_ONCE = 5;

/** A connection that was let in. */
export interface Admission {
  readonly caller: Caller;
  readonly parts: VoicingParts;
}

/** What a connection asks for. */
export interface Ask {
  readonly voiceId: string;
  /** @throws SpeechError that names the parameter at fault. */
  readonly readWishes: () => SpeechWishes;
}

/** A request of a websocket: its query is read by hand, so it may be anything. */
export type SpeechSocketRequest = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/**
 * Checks what a connection asks for, in the order in which the original complains.
 *
 * @param frameKey the key that its first message carries; the one given with the handshake counts more.
 * @throws SpeechError the first complaint.
 */
export async function admit(
  request: SpeechSocketRequest,
  frameKey: string | undefined,
  { voiceId, readWishes }: Ask,
  services: StreamServices,
): Promise<Admission> {
  const { speaker, telemetry } = services;
  const caller = await request.identify({ key: frameKey });
  const { voice, settings } = await services.findVoice(caller, voiceId);
  const wishes = readWishes();
  assertFormatAllowed(caller, wishes.format);
  const model = resolveModel(text(request.query, 'model_id'));
  const { log, id } = request;
  const { latencyLevel } = wishes;
  let chunks = 0;
  const parts: VoicingParts = {
    accountId: caller.accountId,
    speaker,
    voice,
    storedSettings: settings,
    wishes,
    meter: services.openMeter(caller, model),
    turns: new SpeakingTurns(SPEAKING_AT_ONCE, speaker.now),
    numberChunk: () => ++chunks,
    dictionaries: (locators) => services.findDictionaries(caller, locators),
    onSpoken: (chunk) =>
      telemetry.chunkSpoken(log, latencyLevel, chunk, traceIdOf(id, chunk.chunkNumber)),
    onCut: (chunk) =>
      telemetry.chunkCut(log, latencyLevel, chunk, traceIdOf(id, chunk.chunkNumber)),
  };
  return { caller, parts };
}
