import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CARTESIA_CHANNELS } from './api/cartesia/asyncapi-cartesia.ts';
import { cartesiaRoutes } from './api/cartesia/cartesia-routes.ts';
import { DEEPGRAM_CHANNELS } from './api/deepgram/asyncapi-deepgram.ts';
import { deepgramRestRoute } from './api/deepgram/deepgram-rest-route.ts';
import { deepgramSocketRoute } from './api/deepgram/deepgram-socket-route.ts';
import { DIALOGUE_CHANNELS } from './api/dialogue/asyncapi-dialogue.ts';
import { dialogueRoutes } from './api/dialogue/dialogue-routes.ts';
import { dialogueSocketRoutes } from './api/dialogue/dialogue-socket-routes.ts';
import { docsRoutes } from './api/documents/docs.ts';
import { collectRoutes } from './api/documents/openapi-routes.ts';
import { HttpDrain } from './api/http/http-drain.ts';
import { openLogger } from './api/http/open-logger.ts';
import { openAiRoutes } from './api/openai/openai-routes.ts';
import { apiRoutes } from './api/resources/api-routes.ts';
import { restSpeechRoutes } from './api/rest-speech/rest-speech-routes.ts';
import { asyncApiDocument } from './api/stream/asyncapi.ts';
import { openSockets } from './api/stream/open-sockets.ts';
import { streamRoutes } from './api/stream/stream-routes.ts';
import type { StreamServices } from './api/stream/stream-services.ts';
import { LiveConnections } from './api/websocket/live-connections.ts';
import type { Config } from './config.ts';
import { formatOfName, isSampleCodec } from './domain/audio.ts';
import type { Voice } from './domain/voice.ts';
import { guardServer } from './guard-server.ts';
import { listenAt } from './listen-error.ts';
import { openPhone } from './open-phone.ts';
import { openServer } from './open-server.ts';
import { type Own, openService, type Service } from './open-service.ts';
import { withCallChannels } from './phone/bots/call-asyncapi.ts';
import type { NewKey } from './service/account/api-key-registry.ts';
import { SpeechMeter } from './service/account/speech-meter.ts';
import { openStorage } from './service/storage/open-storage.ts';
import { type FoundModel, readVoiceCatalog } from './service/voices/read-voice-catalog.ts';

import { shutDown } from './shut-down.ts';
import { prepareCodecs } from './synthesis/audio/codec.ts';
import { wavHeader } from './synthesis/audio/wav.ts';
import { usableCores } from './synthesis/engine/cpu-limit.ts';
import type { Engine } from './synthesis/engine/engine.ts';
import { EngineRouter } from './synthesis/engine/engine-router.ts';
import { ArrivingKokoro } from './synthesis/engine/kokoro/arriving-kokoro.ts';
import { KOKORO_MODEL_FILE, KOKORO_SPEAKERS } from './synthesis/engine/kokoro/speakers.ts';
import { type EngineModel, scanModels } from './synthesis/engine/model-catalog.ts';
import { EnginePool } from './synthesis/engine/pool.ts';
import { EspeakPhonemiser } from './synthesis/phonemes/espeak-phonemiser.ts';
import type { Speaker } from './synthesis/speech/speaker.ts';
import type { SpeechServices } from './synthesis/speech/speech-services.ts';
import { FrontEnd } from './synthesis/text/front-end.ts';
import { normaliserFor } from './synthesis/text/normaliser/registry.ts';
import { Telemetry } from './telemetry/telemetry.ts';

/** Websockets that the documents describe besides those of the first wire. */
const FURTHER_CHANNELS = { ...DIALOGUE_CHANNELS, ...DEEPGRAM_CHANNELS, ...CARTESIA_CHANNELS };
/** Voices that stay loaded in every worker; the least recently used makes room for the next. */
const MAX_LOADED_MODELS = 4;
/** Cores that a piece of Kokoro's speech may use; more hardly make it faster. */
const MAX_KOKORO_THREADS = 4;
/** About two are spoken as fast as they are heard by each core. */
const KOKORO_TEXTS_PER_THREAD = 2;

/** A running server. */
export interface App extends AsyncDisposable {
  readonly url: string;
  readonly defaultVoice: Voice;
  /** Made at the very first start, and known only now. */
  readonly firstKey: NewKey | undefined;
  /** Takes no new work, and resolves when what goes on has finished or been ended. Idempotent. */
  drain(): Promise<void>;
  /** Stops everything, after a drain. Idempotent. */
  close(): Promise<void>;
}

/**
 * Builds every part and starts to listen; resolves when the default voice is loaded and warm.
 * @throws StorageError, SpeechError (no usable voice), or ListenError when the port is taken.
 */
export async function startApp(
  config: Config,
  logger = openLogger({ level: config.logLevel, format: config.logFormat }),
): Promise<App> {
  const closers: Array<() => Promise<unknown>> = [];
  const close = once(async () => {
    for (const closePart of closers.toReversed()) await closePart();
  });
  try {
    const started = await startParts(config, logger, (closePart) => closers.push(closePart));
    const drain = once(() => shutDown(started.draining));
    closers.push(drain);
    return { ...started, drain, close, [Symbol.asyncDispose]: close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

interface StartedParts extends Pick<App, 'url' | 'defaultVoice' | 'firstKey'> {
  readonly draining: Parameters<typeof shutDown>[0];
}

async function startParts(config: Config, logger: Logger, own: Own): Promise<StartedParts> {
  const { models, problems } = scanModels(config.modelsDir);
  for (const problem of problems) logger.warn(problem, 'voice file skipped');
  const kokoro = openKokoro(config, logger);
  const found = [...models, ...kokoroModel(kokoro)];
  const voices = await readVoiceCatalog(config.modelsDir, found, config.voiceAliases);
  const defaultVoice = voices.choose(config.defaultVoice);
  const storage = await openStorage(config);
  own(() => storage.close());

  const pool = openEngine(config, models);
  const engine = new EngineRouter(new Map(kokoro && [[KOKORO_MODEL_FILE, kokoro]]), pool);
  own(() => engine.close());
  let isReady = false;
  const loading = engine.load(defaultVoice.modelFile);
  // A failure is met below; it must not count as unhandled while the other parts start.
  loading.catch(() => undefined);
  const speaker = openSpeaker(engine, own);

  const service = await openService({
    ...{ config, logger, own, storage, voices, now: Date.now },
    ratedStreams: () => pool.stats.ratedStreams,
  });
  const [streams, calls] = [new LiveConnections(), new LiveConnections()];
  const http = await openServer(config, logger, own);
  const drain = new HttpDrain(http, streams);
  const routes = collectRoutes(http);
  await openSockets(http);
  guardServer(http, config, service);
  const version = await packageVersion();
  const telemetry = new Telemetry(() => pool.stats);
  apiRoutes(http, {
    ...service,
    wavHeader: historyWavHeader,
    metrics: telemetry,
    metricsAccess: config.metrics,
    voices,
    version,
    isReady: () => isReady,
    isStopping: () => drain.isDraining,
    isFull: () => pool.stats.isFull,
    engineStats: () => ({ ...pool.stats, ...(kokoro && { kokoro: kokoro.status }) }),
  });
  docsRoutes(http, {
    publicUrl: config.publicUrl,
    regions: config.regions,
    version,
    routes,
    describeSockets: (addresses) =>
      withCallChannels(asyncApiDocument(addresses, version, FURTHER_CHANNELS)),
  });
  const speech = speechServices(service, { speaker, telemetry }, defaultVoice);
  speechRoutes(http, service, { speech, connections: streams, telemetry });
  const phone = await openPhone(http, {
    ...{ config, logger, own, service, speech, connections: calls, telemetry },
    assertRoom: (accountId, callsOf) => pool.assertRoom(accountId, callsOf),
  });

  await prepareCodecs();
  const { host, port } = config;
  await listenAt({ host, port, portVariable: 'PORT' }, () => http.listen({ host, port }));
  await phone.listen();
  await loading;
  isReady = true;
  kokoro?.start();
  const firstKey = await service.apiKeyRegistry.ensureFirstKey();
  const url = urlOf(http.server.address() as AddressInfo, config.tlsCert !== undefined);
  const draining = { config, logger, drain, phone, streams, calls };
  return { url, defaultVoice, firstKey, draining };
}

/** The parts that turn text into audio, for all who speak. */
function openSpeaker(engine: Engine, own: Own): Speaker {
  const phonemiser = new EspeakPhonemiser();
  own(() => phonemiser.close());
  return {
    frontEnd: new FrontEnd(phonemiser, normaliserFor),
    engine,
    now: () => performance.now(),
  };
}

/** What every door speaks with. */
function speechServices(
  { authenticator, concurrency, dictionaries, directory, quota }: Service,
  parts: Pick<SpeechServices, 'speaker' | 'telemetry'>,
  defaultVoice: Voice,
): SpeechServices {
  return {
    ...parts,
    findVoice: ({ accountId }, voiceId = defaultVoice.voiceId) =>
      directory.find(accountId, voiceId),
    findDictionaries: ({ accountId }, locators) => dictionaries.resolve(accountId, locators),
    openMeter: (caller, model) =>
      new SpeechMeter({ authenticator, concurrency, quota }, caller, model),
    confirm: (caller) => authenticator.confirm(caller, 'text_to_speech'),
  };
}

/** Every way in for text that is to be spoken: of the first wire, and of other vendors'. */
function speechRoutes(http: FastifyInstance, service: Service, sockets: StreamServices): void {
  const { speech, connections } = sockets;
  const rest = { ...service, speech, history: service.recorder, liveWork: connections };
  streamRoutes(http, sockets);
  restSpeechRoutes(http, rest);
  dialogueSocketRoutes(http, sockets);
  dialogueRoutes(http, rest);
  deepgramSocketRoute(http, sockets);
  deepgramRestRoute(http, rest);
  cartesiaRoutes(http, sockets, rest, service.directory);
  openAiRoutes(http, rest, service.directory);
}

/** Raw audio of the history is handed out with a header; mp3, Opus and FLAC carry their own. */
function historyWavHeader(formatName: string, audioBytes: number): Uint8Array | undefined {
  const format = formatOfName(formatName);
  return isSampleCodec(format.codec) ? wavHeader(format, audioBytes) : undefined;
}

function openEngine(config: Config, models: readonly EngineModel[]): EnginePool {
  const cores = usableCores();
  return new EnginePool({
    models,
    cacheFolders: [join(config.modelsDir, '.cache', 'stages'), join(config.dataDir, 'stages')],
    workers: config.workers ?? cores,
    cores,
    maxStreams: config.maxStreams,
    refusesWhenLate: config.refuseWhenLate,
    maxLoadedModels: MAX_LOADED_MODELS,
  });
}

/** @returns undefined where Kokoro's voices are not wanted, or cannot be had. */
function openKokoro(config: Config, log: Logger): ArrivingKokoro | undefined {
  const threads = Math.min(config.workers ?? usableCores(), MAX_KOKORO_THREADS);
  const options = {
    modelsDir: config.modelsDir,
    mayFetch: config.kokoro === 'fetch',
    threads,
    maxLiveJobs: KOKORO_TEXTS_PER_THREAD * threads,
    log,
  };
  const isWanted = config.kokoro !== 'off' && ArrivingKokoro.isPossible(options);
  return isWanted ? new ArrivingKokoro(options) : undefined;
}

/** Kokoro as the voice catalogue sees it: curated speakers alone have a phoneme language. */
function kokoroModel(kokoro: ArrivingKokoro | undefined): readonly FoundModel[] {
  if (!kokoro) return [];
  const unavailable = () => {
    const { state } = kokoro.status;
    return state === 'ready' ? undefined : state;
  };
  const language = { code: 'en_US' };
  const config = { espeakVoice: 'en-us', language, speakers: KOKORO_SPEAKERS.length };
  return [{ id: KOKORO_MODEL_FILE, config, isCuratedOnly: true, unavailable }];
}

async function packageVersion(): Promise<string> {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}

/** An address to call from this machine; one that listens everywhere is shown as loopback. */
function urlOf({ address, family, port }: AddressInfo, servesTls: boolean): string {
  const scheme = servesTls ? 'https' : 'http';
  if (address === '0.0.0.0' || address === '::') return `${scheme}://127.0.0.1:${port}`;
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function once<T>(action: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= action();
    return result;
  };
}
