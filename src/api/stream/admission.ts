import type { FastifyRequest } from 'fastify';
import type { Caller, Credentials } from '../../domain/account.ts';
import { resolveModel } from '../../domain/model.ts';
import { type ConfiguredVoice, reconfigured, type VoiceSettings } from '../../domain/voice.ts';
import { assertFormatAllowed } from '../../service/account/tiers.ts';
import type { Speaker } from '../../synthesis/speech/speaker.ts';
import { SpeakingTurns } from '../../synthesis/speech/speaking-turns.ts';
import type { ContextCommand } from '../../synthesis/speech/speech-contexts.ts';
import type { SpeechRequest } from '../../synthesis/speech/speech-request.ts';
import { type OpenContext, openSpeech } from '../../synthesis/speech/speech-services.ts';
import { traceIdOf } from '../websocket/trace-id.ts';
import { text } from './connect-query.ts';
import type { StreamServices } from './stream-services.ts';

/**
 * Contexts of one connection that may speak at once. As many as may be open, so that only those of
 * a client that closes them faster than they are spoken ever wait for each other.
 */
const SPEAKING_AT_ONCE = 5;

/** What the contexts of one connection take turns by. */
export function contextTurns({ now }: Pick<Speaker, 'now'>): SpeakingTurns {
  return new SpeakingTurns(SPEAKING_AT_ONCE, now);
}

/** A connection that was let in, and what its contexts speak with. */
export interface ConnectionAdmission {
  readonly caller: Caller;
  /** See `SessionPorts.ready`; absent where all is settled when the connection opens. */
  ready?(command: ContextCommand): Promise<void> | undefined;
  openerOf(contextId: string): OpenContext;
}

/** The same where all contexts speak alike. */
export interface StreamAdmission extends ConnectionAdmission {
  /** With the settings that it speaks with. */
  readonly voice: ConfiguredVoice;
}

/** What a connection asks for. */
export interface Ask {
  /** The default voice unless given. */
  readonly voiceId: string | undefined;
  /** What the request says about the voice's delivery, for wires that say it once. */
  readonly voiceSettings?: Partial<VoiceSettings>;
  /** @throws SpeechError that names the parameter at fault. */
  readonly readRequest: () => SpeechRequest;
}

/** A request of a websocket: its query is read by hand, so it may be anything. */
export type SpeechSocketRequest = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/**
 * Checks what a connection asks for, in the order in which the original complains.
 *
 * @param carried by its first message; what was given with the handshake counts more.
 * @throws SpeechError the first complaint.
 */
export async function admit(
  request: SpeechSocketRequest,
  carried: Credentials | undefined,
  { voiceId, voiceSettings, readRequest }: Ask,
  { speech }: StreamServices,
): Promise<StreamAdmission> {
  const caller = await request.identify(carried);
  const voice = reconfigured(await speech.findVoice(caller, voiceId), voiceSettings ?? {});
  const asked = readRequest();
  assertFormatAllowed(caller, asked.format);
  const model = resolveModel(text(request.query, 'model_id'));
  const openContext = openSpeech(speech, {
    ...{ caller, voice, request: asked, log: request.log },
    meter: speech.openMeter(caller, model),
    traceIdOf: (chunkNumber) => traceIdOf(request.id, chunkNumber),
    turns: contextTurns(speech.speaker),
  });
  return { caller, voice, openerOf: () => openContext };
}
