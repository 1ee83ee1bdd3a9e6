import type { Logger } from 'pino';
import { Accounts } from './account/accounts.ts';
import { AddressList } from './account/address-list.ts';
import { Authenticator } from './account/authenticator.ts';
import { ConcurrencyLimiter } from './account/concurrency-limiter.ts';
import { History } from './account/history.ts';
import { HistoryRecorder } from './account/history-recorder.ts';
import { HistorySweeper } from './account/history-sweeper.ts';
import { KeyRing } from './account/key-ring.ts';
import { Quota } from './account/quota.ts';
import { SingleUseTokens } from './account/single-use-tokens.ts';
import { analyseRecording } from './audio/recording-analysis.ts';
import type { Config } from './config.ts';
import { DictionaryShelf } from './dictionaries/dictionary-shelf.ts';
import type { Storage } from './storage/storage.ts';
import type { VoiceCatalog } from './voices/voice-catalog.ts';
import { VoiceDirectory } from './voices/voice-directory.ts';
import { VoiceRecordings } from './voices/voice-recordings.ts';
import { DestinationGuard } from './webhooks/destination-guard.ts';
import { eventTeller } from './webhooks/event-teller.ts';
import { resolveHost } from './webhooks/guarded-post.ts';
import { openSecretBox } from './webhooks/secret-box.ts';
import { WebhookBook } from './webhooks/webhook-book.ts';
import { WebhookDispatcher } from './webhooks/webhook-dispatcher.ts';

const MS_PER_DAY = 86_400_000;
const WEBHOOK_TIMEOUT_MS = 15_000;

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
}

export type Service = Awaited<ReturnType<typeof openService>>;

/** Everything behind the voice that has state: who calls, what they may, what they have. */
export async function openService(parts: ServiceParts) {
  const { config, logger, own, storage, voices, now } = parts;
  const { webhooks, tell } = await openWebhooks(parts);
  const quota = new Quota({
    usage: storage.usage,
    tell,
    now,
    onRenewalFailed: (err) => logger.error({ err }, 'quota lease not renewed'),
  });
  own(() => quota.close());
  const keyRing = new KeyRing({
    store: storage.keys,
    configuredSecret: config.apiKey,
    now,
    tell,
  });
  const recorder = openRecorder(parts, quota);
  const directory = new VoiceDirectory({ catalog: voices, store: storage.voices, now });
  return {
    quota,
    keyRing,
    recorder,
    directory,
    webhooks,
    tell,
    authenticator: new Authenticator(keyRing, new AddressList(config.trustedProxies)),
    concurrency: new ConcurrencyLimiter(config.maxStreams),
    accounts: new Accounts(storage.accounts, now),
    tokens: new SingleUseTokens({ store: storage.tokens, keys: keyRing, now }),
    user: {
      standing: (accountId: string) => quota.standing(accountId),
      countVoices: (accountId: string) => directory.count(accountId),
    },
    recordings: new VoiceRecordings({
      directory,
      blobs: storage.blobs,
      analyse: analyseRecording,
      now,
    }),
    dictionaries: new DictionaryShelf({ store: storage.dictionaries, now }),
    history: new History(storage, now),
  };
}

function openRecorder(
  { config, logger, own, storage, now }: ServiceParts,
  quota: Quota,
): HistoryRecorder {
  const recorder = new HistoryRecorder({
    storage,
    now,
    charactersUsed: async (accountId) => (await quota.standing(accountId)).usedCharacters,
    lost: (historyItemId, err) => logger.error({ historyItemId, err }, 'generation not kept'),
  });
  own(() => recorder.close());
  const sweeper = new HistorySweeper({
    storage,
    now,
    keepForMs: config.historyDays === undefined ? undefined : config.historyDays * MS_PER_DAY,
    failed: (err) => logger.error({ err }, 'history not swept'),
  });
  sweeper.start();
  own(() => sweeper.close());
  return recorder;
}

async function openWebhooks({ config, logger, own, storage, now }: ServiceParts) {
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
    random: Math.random,
  });
  dispatcher.start();
  own(() => dispatcher.close());
  const wake = () => dispatcher.wake();
  return {
    webhooks: new WebhookBook({ ...shared, onDue: wake }),
    tell: eventTeller({ webhooks, outbox, now, onTold: wake }),
  };
}
