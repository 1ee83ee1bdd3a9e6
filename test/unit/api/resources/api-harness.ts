import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { collectRoutes } from '../../../../src/api/documents/openapi-routes.ts';
import { logOptions } from '../../../../src/api/http/log-options.ts';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { guardRoutes } from '../../../../src/api/identity/guard-routes.ts';
import { apiRoutes } from '../../../../src/api/resources/api-routes.ts';
import type { MetricsAccess } from '../../../../src/api/resources/metrics.ts';
import { readConfig } from '../../../../src/config.ts';
import { openService } from '../../../../src/open-service.ts';
import type { StorageProblem } from '../../../../src/service/account/storage-health.ts';
import { VoiceCatalog, type VoiceModel } from '../../../../src/service/voices/voice-catalog.ts';
import { voiceIdOf } from '../../../../src/service/voices/voice-id.ts';
import { Telemetry } from '../../../../src/telemetry/telemetry.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

export const CONFIGURED_SECRET = 'configured-secret-1';

const MODEL: Omit<VoiceModel, 'id' | 'languageCode' | 'speakers'> = {
  phonemeLanguage: 'en-us',
  licence: 'CC BY 4.0',
  attribution: 'LibriTTS-R, Koizumi et al. 2023',
};
const LIBRITTS = 'en_US-libritts_r-medium';
const FABER = 'pt_BR-faber-medium';

/** A curated speaker of a model with many, and a model with one. */
export const VOICES = new VoiceCatalog(
  [
    { ...MODEL, id: LIBRITTS, languageCode: 'en_US', speakers: 904 },
    { ...MODEL, id: FABER, languageCode: 'pt_BR', speakers: 1 },
  ],
  [
    {
      modelFile: LIBRITTS,
      speaker: 7,
      name: 'Ada',
      gender: 'female',
      description: 'Calm and low.',
      language: 'en-US',
    },
  ],
  new Map([['21m00Tcm4TlvDq8ikWAM', voiceIdOf(LIBRITTS, 7)]]),
);
export const ADA = voiceIdOf(LIBRITTS, 7);
export const ADA_ALIAS = '21m00Tcm4TlvDq8ikWAM';
export const UNLISTED = voiceIdOf(LIBRITTS, 42);

/** The real server with real storage and every REST route but speech; nothing listens. Log lines are kept. */
export async function openApi({
  isReady = (): boolean => true,
  storageHealth = {
    problems: (): readonly StorageProblem[] => [],
    isBeyondGrace: (): boolean => false,
  },
  isFull = (): boolean => false,
  metricsAccess = 'open' as MetricsAccess,
} = {}) {
  const logged: string[] = [];
  const logger = memoryLogger(logged);
  const config = readConfig({
    SIDETONE_API_KEY: CONFIGURED_SECRET,
    SIDETONE_DATA_DIR: temporaryDir(),
  });
  const closers: Array<() => Promise<unknown>> = [];
  const storage = await openStorageHere(config);
  const service = await openService({
    config,
    logger,
    storage,
    voices: VOICES,
    own: (closePart) => closers.push(closePart),
    now: () => 1_763_700_000_999,
    ratedStreams: () => 8,
  });
  const app = openHttp(logger);
  const routes = collectRoutes(app);
  guardRoutes(app, {
    authenticate: (secret, origin) => service.authenticator.authenticate(secret, origin),
    redeem: (token, purpose) => service.tokens.redeem(token, purpose),
  });
  apiRoutes(app, {
    ...service,
    voices: VOICES,
    version: '1.2.3',
    wavHeader: () => undefined,
    metrics: new Telemetry(() => ({
      queuedSteps: 0,
      liveJobs: 0,
      workingJobs: 0,
      ratedStreams: 8,
      respawns: 0,
      realTimeFactor: 0,
    })),
    metricsAccess,
    isReady,
    isStopping: () => false,
    storageHealth,
    isFull,
    engineStats: () => ({ workers: 2 }),
  });
  onTestFinished(async () => {
    await app.close();
    for (const close of closers.toReversed()) await close();
    await storage.close();
  });
  return { app, logged, routes };
}

export function memoryLogger(lines: string[]): Logger {
  const sink = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  return pino(logOptions('trace'), sink);
}
