import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { assertFormatAllowed } from '../account/tiers.ts';
import type { Caller } from '../domain/account.ts';
import type { DictionaryLocator } from '../domain/dictionary.ts';
import type { SpeechError } from '../domain/errors.ts';
import { type Model, resolveModel } from '../domain/model.ts';
import type { Voice, VoiceSettings } from '../domain/voice.ts';
import type { Dialect } from '../socket/dialect.ts';
import type { LiveConnections } from '../socket/live-connections.ts';
import { SocketSession } from '../socket/socket-session.ts';
import type { ChunkToll, Speaker, SpeechStyle } from '../speech/speaker.ts';
import type { SpokenChunk } from '../speech/utterance.ts';
import { openVoicing, type VoicingParts } from '../speech/voicing.ts';
import { inactivityTimeoutMs, parseConnectQuery, text } from './connect-query.ts';
import { multiStreamDialect } from './multi-stream-dialect.ts';
import { streamInputDialect } from './stream-input-dialect.ts';

const DEFAULT_INACTIVITY_MS = 20_000;
const DEFAULT_WRITE_DEADLINE_MS = 10_000;

/** One row a websocket dialect: its path under a voice, and its wire language. */
const STREAMS: ReadonlyArray<readonly [path: string, dialect: Dialect]> = [
  ['stream-input', streamInputDialect],
  ['multi-stream-input', multiStreamDialect],
];

export interface StreamServices {
  readonly speaker: Speaker;
  readonly connections: LiveConnections;
  /** @throws SpeechError `voice_id_does_not_exist`, `voice_not_ready`. */
  readonly findVoice: (
    caller: Caller,
    voiceId: string,
  ) => Promise<{ readonly voice: Voice; readonly settings: VoiceSettings }>;
  readonly openToll: (caller: Caller, model: Model) => ChunkToll;
  readonly findDictionaries: (
    caller: Caller,
    locators: readonly DictionaryLocator[],
  ) => SpeechStyle['dictionaries'];
  readonly telemetry: StreamTelemetry;
  /** A client that leaves its audio unread for this long is cut; 10 000 unless given. */
  readonly writeDeadlineMs?: number;
  /** @throws SpeechError `authentication_required`, `invalid_api_key` and others. */
  readonly authenticate: (request: FastifyRequest, key: string | undefined) => Promise<Caller>;
  /** @throws SpeechError `invalid_api_key`. */
  readonly redeem: (singleUseToken: string) => Promise<Caller>;
}

/** Where the events of connections are told; each with a log that carries the request's id. */
export interface StreamTelemetry {
  connectionOpened(): void;
  connectionEnded(log: FastifyBaseLogger, error: SpeechError | undefined): void;
  chunkSpoken(log: FastifyBaseLogger, level: number, chunk: SpokenChunk): void;
}

interface StreamRequest {
  Params: { voiceId: string };
  Querystring: Record<string, unknown>;
}

/** The streaming websockets. A model that does not exist is refused before the upgrade (PROTOCOL §1). */
export function streamRoutes(app: FastifyInstance, services: StreamServices): void {
  for (const [path, dialect] of STREAMS) {
    app.route<StreamRequest>({
      method: 'GET',
      url: `/v1/text-to-speech/:voiceId/${path}`,
      preValidation: async (request) => {
        resolveModel(text(request.query, 'model_id'));
      },
      handler: askForUpgrade,
      wsHandler: (socket, request) => serve(socket, request, dialect, services),
    });
  }
}

/** A plain request must be told what is missing (RFC 9110 §15.5.22). */
function askForUpgrade(_request: unknown, reply: FastifyReply): void {
  reply.code(426).headers({ upgrade: 'websocket', connection: 'upgrade' }).send();
}

function serve(
  socket: WebSocket,
  request: FastifyRequest<StreamRequest>,
  dialect: Dialect,
  services: StreamServices,
): void {
  const { connections, telemetry, writeDeadlineMs } = services;
  const log = request.log;
  let admitted: VoicingParts | undefined;
  const connection = new SocketSession(socket, {
    dialect,
    inactivityTimeoutMs: timeoutOrDefault(request.query),
    writeDeadlineMs: writeDeadlineMs ?? DEFAULT_WRITE_DEADLINE_MS,
    admit: async (frameKey) => {
      admitted = await admit(request, frameKey, services);
    },
    beginSpeech: (settings, sink) => {
      if (!admitted) throw new Error('Speech began before the connection was admitted.');
      return openVoicing(admitted, settings, sink);
    },
    onEnd: (error) => {
      connections.delete(connection);
      telemetry.connectionEnded(log, error);
    },
  });
  connections.add(connection);
  telemetry.connectionOpened();
}

/** Checks what a connection asks for, in the order in which the original complains. */
async function admit(
  request: FastifyRequest<StreamRequest>,
  frameKey: string | undefined,
  services: StreamServices,
): Promise<VoicingParts> {
  const { speaker, telemetry } = services;
  const token = text(request.query, 'single_use_token');
  const caller = await (token === undefined
    ? services.authenticate(request, connectKey(request) ?? frameKey)
    : services.redeem(token));
  const { voice, settings } = await services.findVoice(caller, request.params.voiceId);
  const query = parseConnectQuery(request.query);
  assertFormatAllowed(caller, query.format);
  const model = resolveModel(text(request.query, 'model_id'));
  return {
    speaker,
    voice,
    storedSettings: settings,
    wishes: query,
    toll: services.openToll(caller, model),
    dictionaries: (locators) => services.findDictionaries(caller, locators),
    onSpoken: (chunk) => telemetry.chunkSpoken(request.log, query.latencyLevel, chunk),
  };
}

/** A wrong timeout is reported with the rest of the query, after the first frame. */
function timeoutOrDefault(query: Record<string, unknown>): number {
  try {
    return inactivityTimeoutMs(query);
  } catch {
    return DEFAULT_INACTIVITY_MS;
  }
}

/** The key in any of the places where clients put it at connect (PROTOCOL §0). */
function connectKey(request: FastifyRequest<StreamRequest>): string | undefined {
  const { headers, query } = request;
  const candidates = [
    headers['xi-api-key'],
    headers.authorization,
    text(query, 'xi-api-key'),
    text(query, 'authorization'),
  ];
  const given = candidates.find((candidate) => typeof candidate === 'string');
  return typeof given === 'string' ? given.replace(/^Bearer\s+/i, '') : undefined;
}
