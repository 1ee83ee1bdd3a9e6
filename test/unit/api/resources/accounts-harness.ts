import type { InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { guardRoutes } from '../../../../src/api/identity/guard-routes.ts';
import { accountsRoutes } from '../../../../src/api/resources/accounts.ts';
import { apiKeysRoutes } from '../../../../src/api/resources/api-keys.ts';
import { singleUseTokensRoutes } from '../../../../src/api/resources/single-use-tokens.ts';
import { usageRoutes } from '../../../../src/api/resources/usage.ts';
import { userRoutes } from '../../../../src/api/resources/user.ts';
import type { ServiceEvent } from '../../../../src/domain/service-event.ts';
import { Accounts } from '../../../../src/service/account/accounts.ts';
import { AddressList } from '../../../../src/service/account/address-list.ts';
import { ApiKeyRegistry } from '../../../../src/service/account/api-key-registry.ts';
import { Authenticator } from '../../../../src/service/account/authenticator.ts';
import { Quota } from '../../../../src/service/account/quota.ts';
import { SingleUseTokens } from '../../../../src/service/account/single-use-tokens.ts';
import { UsageReader } from '../../../../src/service/account/usage-over-time.ts';
import { databaseHealth } from '../../../support/storage-health.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { CONFIGURED_SECRET, memoryLogger } from './api-harness.ts';

export const PROXY = '10.0.0.1';
export const NOW = Date.parse('2100-03-10T12:00:00Z');

/** The real server with real storage and the routes of accounts; `call` uses the configured key unless told. */
export async function openAccountsApi() {
  const clock = { nowMs: NOW };
  const now = () => clock.nowMs;
  const events: ServiceEvent[] = [];
  const logged: string[] = [];
  const tell = async (event: ServiceEvent) => void events.push(event);
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: CONFIGURED_SECRET,
    now,
    tell,
  });
  const authenticator = new Authenticator(apiKeyRegistry, new AddressList([PROXY]));
  const quota = new Quota({
    usage: storage.usage,
    tell,
    now,
    health: databaseHealth(),
  });
  const tokens = new SingleUseTokens({ store: storage.tokens, keys: apiKeyRegistry, now });
  const app = openHttp(memoryLogger(logged));
  guardRoutes(app, {
    authenticate: (secret, origin) => authenticator.authenticate(secret, origin),
    redeem: (token, purpose) => tokens.redeem(token, purpose),
  });
  apiKeysRoutes(app, apiKeyRegistry);
  accountsRoutes(app, new Accounts(storage.accounts, now));
  singleUseTokensRoutes(app, tokens);
  userRoutes(app, {
    standing: (accountId) => quota.standing(accountId),
    countVoices: async (accountId) => (accountId === 'acme' ? 2 : 0),
  });
  usageRoutes(app, new UsageReader(storage.usage, now));
  onTestFinished(async () => {
    await app.close();
    await quota.close();
    await storage.close();
  });
  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    { key = CONFIGURED_SECRET, ...options }: InjectOptions & { key?: string } = {},
  ) =>
    app.inject({
      method,
      url,
      ...(payload && { payload }),
      ...options,
      headers: { 'xi-api-key': key, ...options.headers },
    });
  return { app, call, clock, quota, tokens, authenticator, storage, events, logged };
}
