import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteGuardOptions } from '../../src/api/identity/route-guard.ts';
import type { Caller } from '../../src/domain/account.ts';
import { Accounts } from '../../src/service/account/accounts.ts';
import { ApiKeyRegistry, type NewKey } from '../../src/service/account/api-key-registry.ts';
import { Authenticator } from '../../src/service/account/authenticator.ts';
import { ConcurrencyLimiter } from '../../src/service/account/concurrency-limiter.ts';
import { Quota } from '../../src/service/account/quota.ts';
import { SingleUseTokens } from '../../src/service/account/single-use-tokens.ts';
import { SpeechMeter } from '../../src/service/account/speech-meter.ts';
import { DictionaryRegistry } from '../../src/service/dictionaries/dictionary-registry.ts';
import type { SpeechServices } from '../../src/synthesis/speech/speech-services.ts';
import { databaseHealth } from './storage-health.ts';
import { openStorageHere } from './storage-here.ts';

const ACCOUNT_ID = 'acme';
/** What the server could speak at once. */
const SERVER_LIMIT = 16;

export interface StreamAccount extends AsyncDisposable {
  /** For `startStreamServer`: everything that has to do with who calls. */
  readonly speech: Pick<SpeechServices, 'confirm' | 'openMeter' | 'findDictionaries'>;
  readonly guard: Pick<RouteGuardOptions, 'authenticate' | 'redeem'>;
  /** Of the account, without limits of its own. */
  readonly key: NewKey;
  readonly caller: Caller;
  readonly apiKeyRegistry: ApiKeyRegistry;
  readonly tokens: SingleUseTokens;
  readonly registry: DictionaryRegistry;
  readonly clock: { nowMs: number };
  /** Characters that the account was charged this month, or has on hold. */
  usedCharacters(): Promise<number>;
}

/** One account with a key, and the real parts that know it, on a database of their own. */
export async function openStreamAccount(characterLimit = 1000): Promise<StreamAccount> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sidetone-account-'));
  const storage = await openStorageHere({ dataDir });
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: undefined,
    now,
  });
  const accounts = new Accounts(storage.accounts, now);
  await accounts.create({ name: 'Acme', tier: 'business', characterLimit }, ACCOUNT_ID);
  const key = await apiKeyRegistry.create(ACCOUNT_ID, 'bot');
  const authenticator = new Authenticator(apiKeyRegistry);
  const tokens = new SingleUseTokens({ store: storage.tokens, keys: apiKeyRegistry, now });
  const concurrency = new ConcurrencyLimiter(() => SERVER_LIMIT);
  const quota = new Quota({
    usage: storage.usage,
    tell: async () => undefined,
    now,
    health: databaseHealth(),
  });
  const registry = new DictionaryRegistry({ store: storage.dictionaries, now });
  return {
    speech: {
      confirm: (caller) => authenticator.confirm(caller, 'text_to_speech'),
      openMeter: (caller, model) =>
        new SpeechMeter({ authenticator, concurrency, quota }, caller, model),
      findDictionaries: ({ accountId }, locators) => registry.resolve(accountId, locators),
    },
    guard: {
      authenticate: (secret, origin) => authenticator.authenticate(secret, origin),
      redeem: (token, purpose) => tokens.redeem(token, purpose),
    },
    key,
    caller: await authenticator.authenticate(key.secret, {
      peerAddress: undefined,
      forwardedFor: undefined,
      scope: 'text_to_speech',
    }),
    apiKeyRegistry,
    tokens,
    registry,
    clock,
    usedCharacters: async () => (await quota.standing(ACCOUNT_ID)).usedCharacters,
    [Symbol.asyncDispose]: async () => {
      await quota.close();
      await storage.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
