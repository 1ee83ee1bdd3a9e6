import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { LiveConnections } from './api/websocket/live-connections.ts';
import type { Config } from './config.ts';
import { type Caller, hasScope } from './domain/account.ts';
import { listenAt } from './listen-error.ts';
import type { Own, Service } from './open-service.ts';
import { answerCalls } from './phone/bots/answer-calls.ts';
import { botRoutes } from './phone/bots/bot-routes.ts';
import type { CallServices } from './phone/calls/call-services.ts';
import { PhoneCalls } from './phone/calls/phone-calls.ts';
import { AudioSocketCalls } from './phone/carriers/audiosocket/audiosocket-calls.ts';
import { audioSocketRoutes } from './phone/carriers/audiosocket/audiosocket-routes.ts';
import { AudioSocketServer } from './phone/carriers/audiosocket/audiosocket-server.ts';
import { carrierRoutes } from './phone/carriers/carrier-routes.ts';
import type { CarrierServices } from './phone/carriers/carrier-services.ts';
import type { LineRegistry } from './phone/lines/line-registry.ts';
import { readLines } from './phone/lines/read-lines.ts';
import { findVoiceActivityModel, NO_VOICE_ACTIVITY } from './phone/voice-activity/model-file.ts';
import { openVoiceActivity, type VoiceActivity } from './phone/voice-activity/voice-activity.ts';
import { callerOfKey } from './service/account/authenticator.ts';
import type { SpeechServices } from './synthesis/speech/speech-services.ts';
import { CallTelemetry } from './telemetry/call-telemetry.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

interface PhoneParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly own: Own;
  readonly service: Service;
  readonly speech: SpeechServices;
  readonly connections: LiveConnections;
  readonly telemetry: Telemetry;
  readonly assertRoom: CallServices['assertRoom'];
}

/** Phone calls: the doors for carriers and for bots, and the calls that join the two. */
export interface Phone {
  readonly lines: LineRegistry;
  /** Listens where Asterisk's AudioSocket is expected, if it is. */
  listen(): Promise<void>;
  /** Takes no more calls there; those that go on are left alone. */
  stopListening(): void;
}

/**
 * Adds the routes of phone calls.
 * @throws YamlError when the lines file, or a menu that it names, cannot be used.
 */
export async function openPhone(http: FastifyInstance, parts: PhoneParts): Promise<Phone> {
  const { config, logger, own, service, connections } = parts;
  const lines = await readLines(config.linesFile);
  const calls = await openCalls(parts, lines);
  const carriers = carrierServices(parts, { mediaStreams: calls, lines });
  carrierRoutes(http, carriers);
  botRoutes(http, {
    callRegistry: calls.callRegistry,
    connections,
    confirm: (caller) => confirmBot(service, caller),
  });
  const announced = new AudioSocketCalls(() => performance.now());
  audioSocketRoutes(http, { ...carriers, calls: announced });
  const audioSocket = new AudioSocketServer(
    { mediaStreams: calls, calls: announced, log: logger },
    {
      maxConnections: config.maxConnections,
      maxUnknownPerAddress: config.maxConnectionsPerAddress,
    },
  );
  own(() => audioSocket.close());
  const listen = async () => {
    const { host, audioSocketPort: wanted } = config;
    if (wanted === undefined) return;
    const place = { host, port: wanted, portVariable: 'SIDETONE_AUDIOSOCKET_PORT' } as const;
    const { address, port } = await listenAt(place, () => audioSocket.listen(host, wanted));
    logger.info({ address, port }, 'listening for AudioSocket');
  };
  return { lines, listen, stopListening: () => audioSocket.stopListening() };
}

/** A connection that was let in to pass callers on does not outlive that either. */
async function confirmBot({ authenticator }: Service, caller: Caller): Promise<void> {
  await authenticator.confirm(caller, 'calls_attach');
  if (hasScope(caller.scopes, 'calls_transfer')) {
    await authenticator.confirm(caller, 'calls_transfer');
  }
}

async function openCalls(parts: PhoneParts, { lines }: LineRegistry): Promise<PhoneCalls> {
  const { logger, service, speech, connections, telemetry, assertRoom } = parts;
  return new PhoneCalls({
    speech,
    assertRoom,
    telemetry: new CallTelemetry(telemetry),
    openLog: (ids) => logger.child(ids),
    tell: service.tell,
    liveCalls: connections,
    answer: await answerCalls({ lines, log: logger }),
    voiceActivity: await voiceActivityFor(parts, lines),
  });
}

/** The thread that hears voices is started when a line wants it, and only then. */
async function voiceActivityFor(
  { config, logger, own }: PhoneParts,
  lines: LineRegistry['lines'],
): Promise<VoiceActivity | undefined> {
  const wanting = lines.filter(({ bargeIn }) => bargeIn.onSpeech);
  if (wanting.length === 0) return undefined;
  const modelFile = findVoiceActivityModel(config.modelsDir);
  if (modelFile === undefined) {
    logger.warn({ lines: wanting.map(({ lineId }) => lineId) }, NO_VOICE_ACTIVITY);
    return undefined;
  }
  const voiceActivity = await openVoiceActivity(modelFile);
  own(() => voiceActivity.close());
  return voiceActivity;
}

function carrierServices(
  { config, service }: PhoneParts,
  given: Pick<CarrierServices, 'mediaStreams' | 'lines'>,
): CarrierServices {
  const { tokens, apiKeyRegistry, trustedProxies } = service;
  return {
    ...given,
    publicUrl: config.publicUrl,
    servesTls: config.tlsCert !== undefined,
    isTrustedProxy: (address) => trustedProxies.has(address),
    issueToken: (caller) => tokens.issue(caller, 'call_stream'),
    callerOfKey: async (keyId) => callerOfKey(await apiKeyRegistry.findById(keyId)),
    now: Date.now,
  };
}
