import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { PublishEvent } from './domain/service-event.ts';
import { Accounts } from './service/account/accounts.ts';
import { AddressList } from './service/account/address-list.ts';
import { ApiKeyRegistry } from './service/account/api-key-registry.ts';
import { Authenticator } from './service/account/authenticator.ts';
import { ConcurrencyLimiter } from './service/account/concurrency-limiter.ts';
import { History } from './service/account/history.ts';
import { HistoryRecorder } from './service/account/history-recorder.ts';
import { HistorySweeper } from './service/account/history-sweeper.ts';
import { Quota } from './service/account/quota.ts';
import { SingleUseTokens } from './service/account/single-use-tokens.ts';
import { StorageHealth } from './service/account/storage-health.ts';
import { UsageReader } from './service/account/usage-over-time.ts';
import { DictionaryRegistry } from './service/dictionaries/dictionary-registry.ts';
import { DiskReserve } from './service/storage/disk-reserve.ts';
import type { Storage } from './service/storage/storage.ts';
import { TemporaryFiles } from './service/uploads/temporary-files.ts';
import { UploadLimiter } from './service/uploads/upload-limiter.ts';
import { Uploads } from './service/uploads/uploads.ts';
import type { VoiceCatalog } from './service/voices/voice-catalog.ts';
import { VoiceDirectory } from './service/voices/voice-directory.ts';
import { VoiceRecordings } from './service/voices/voice-recordings.ts';
import { DestinationGuard } from './service/webhooks/destination-guard.ts';
import { eventPublisher } from './service/webhooks/event-publisher.ts';
import { resolveHost } from './service/webhooks/guarded-post.ts';
import { openSecretBox } from './service/webhooks/secret-box.ts';
import { WebhookDispatcher } from './service/webhooks/webhook-dispatcher.ts';
import { WebhookRegistry } from './service/webhooks/webhook-registry.ts';
import { analyseRecording } from './synthesis/audio/recording-analysis.ts';

const MS_PER_DAY = 86_400_000;
const MEBIBYTE = 2 ** 20;
/** Of recordings and lexicons on their way in. What is announced lies on the disk, not in memory. */
const UPLOAD_LIMITS = {
  ofAccount: { uploads: 3, bytes: 64 * MEBIBYTE },
  inAll: { uploads: 16, bytes: 256 * MEBIBYTE },
};
const WEBHOOK_TIMEOUT_MS = 15_000;
/** Deliveries under way when the server closes; what is cut is delivered again after the next start. */
const WEBHOOK_CLOSE_GRACE_MS = 300;

/** Takes what ends a part; parts are ended in the reverse of the order they came in. */
export type Own = (closePart: () => Promise<unknown>) => void;

interface ServiceParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly own: Own;
  readonly storage: Storage;
  readonly voices: VoiceCatalog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How many streams the engine can speak at once. */
  readonly ratedStreams: () => number;
}

export type Service = Awaited<ReturnType<typeof openService>>;

/** Everything behind the voice that has state: who calls, what they may, what they have. */
export async function openService(parts: ServiceParts) {
  const { config, logger, own, storage, voices, now, ratedStreams } = parts;
  const trustedProxies = new AddressList(config.trustedProxies);
  const health = openHealth(logger);
  const { webhooks, tell } = await openWebhooks(parts, health);
  const quota = new Quota({
    usage: storage.usage,
    tell,
    now,
    health: health.database,
  });
  quota.start();
  own(() => quota.close());
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: config.apiKey,
    now,
    tell,
  });
  const diskReserve = new DiskReserve(config.dataDir, config.diskReserveMib * MEBIBYTE);
  const recorder = openRecorder(parts, quota, diskReserve, health.history);
  const directory = new VoiceDirectory({ catalog: voices, store: storage.voices, now });
  return {
    storageHealth: {
      problems: () =>
        [health.database.problem, health.history.problem].filter(
          (problem) => problem !== undefined,
        ),
      isBeyondGrace: () => health.database.isBeyondGrace,
    },
    quota,
    apiKeyRegistry,
    recorder,
    directory,
    webhooks,
    tell,
    trustedProxies,
    authenticator: new Authenticator(apiKeyRegistry, trustedProxies),
    concurrency: new ConcurrencyLimiter(ratedStreams),
    accounts: new Accounts(storage.accounts, now, () => apiKeyRegistry.forgetKnown()),
    tokens: new SingleUseTokens({ store: storage.tokens, keys: apiKeyRegistry, now }),
    user: {
      standing: (accountId: string) => quota.standing(accountId),
      countVoices: (accountId: string) => directory.count(accountId),
    },
    usage: new UsageReader(storage.usage, now),
    recordings: new VoiceRecordings({
      directory,
      blobs: storage.blobs,
      analyse: analyseRecording,
      now,
    }),
    uploads: await openUploads(config, diskReserve),
    dictionaries: new DictionaryRegistry({ store: storage.dictionaries, now }),
    history: new History(storage, now),
  };
}

async function openUploads({ dataDir }: Config, freeSpace: DiskReserve): Promise<Uploads> {
  const files = new TemporaryFiles(join(dataDir, 'uploads'));
  await files.sweep();
  return new Uploads({ limiter: new UploadLimiter(UPLOAD_LIMITS), files, freeSpace });
}

/** How the database does, and how the storage of generations and their audio does. */
function openHealth(log: Logger) {
  const now = () => performance.now();
  return {
    database: new StorageHealth({ part: 'database', log, now }),
    history: new StorageHealth({ part: 'history', log, now }),
  };
}

function openRecorder(
  { config, logger, own, storage, now }: ServiceParts,
  quota: Quota,
  freeSpace: DiskReserve,
  health: StorageHealth,
): HistoryRecorder {
  const recorder = new HistoryRecorder({
    storage,
    freeSpace,
    now,
    charactersUsed: async (accountId) => (await quota.standing(accountId)).usedCharacters,
    kept: () => health.worked(),
    lost: (historyItemId, thrown) => {
      health.failed(thrown);
      logger.debug({ historyItemId, err: thrown }, 'generation not kept');
    },
  });
  own(() => recorder.close());
  const sweeper = new HistorySweeper({
    storage,
    now,
    keepForMs: config.historyDays === undefined ? undefined : config.historyDays * MS_PER_DAY,
    keepBytes: config.historyMib * MEBIBYTE,
    failed: (thrown) => health.failed(thrown),
  });
  sweeper.start();
  own(() => sweeper.close());
  return recorder;
}

async function openWebhooks(
  { config, logger, own, storage, now }: ServiceParts,
  health: ReturnType<typeof openHealth>,
) {
  const { webhooks, outbox } = storage;
  const shared = {
    webhooks,
    outbox,
    now,
    secretBox: await openSecretBox(config.dataDir),
    guard: new DestinationGuard({
      allow: config.webhookAllow,
      allowHttp: config.webhookAllowHttp,
    }),
  };
  const dispatcher = new WebhookDispatcher({
    ...shared,
    logger,
    resolve: resolveHost,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    closeGraceMs: WEBHOOK_CLOSE_GRACE_MS,
    random: Math.random,
  });
  dispatcher.start();
  own(() => dispatcher.close());
  const wake = () => dispatcher.wake();
  const write = eventPublisher({ webhooks, outbox, now, onTold: wake });
  const tell: PublishEvent = async (event) => {
    await health.database.inTime(write(event));
  };
  return { webhooks: new WebhookRegistry({ ...shared, onDue: wake }), tell };
}
