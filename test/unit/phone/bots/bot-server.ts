import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { guardRoutes } from '../../../../src/api/identity/guard-routes.ts';
import { openSockets } from '../../../../src/api/stream/open-sockets.ts';
import { LiveConnections } from '../../../../src/api/websocket/live-connections.ts';
import type { Caller, GrantedScopes } from '../../../../src/domain/account.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { type BotServices, botRoutes } from '../../../../src/phone/bots/bot-routes.ts';

/** Keys that the server knows, by the accounts that they belong to. */
export const KEYS: Readonly<Record<string, string>> = { sk_blue: 'blue', sk_red: 'red' };

/** Tokens of the blue account, and what they allow. */
const TOKENS: ReadonlyMap<string, GrantedScopes> = new Map<string, GrantedScopes>([
  ['token_blue', ['calls_attach']],
  ['token_transfer', ['calls_attach', 'calls_transfer']],
]);

export interface BotServer extends AsyncDisposable {
  /** `ws://127.0.0.1:port`. */
  readonly url: string;
  readonly connections: LiveConnections;
  /** Keys that have been revoked since. */
  readonly revoked: Set<string>;
}

/** The real doors of bots, over whatever calls there are. */
export async function startBotServer(
  callRegistry: BotServices['callRegistry'],
  options: Partial<BotServices> = {},
  logger: Logger = pino({ level: 'silent' }),
): Promise<BotServer> {
  const connections = new LiveConnections();
  const revoked = new Set<string>();
  const app = openHttp(logger);
  await openSockets(app);
  guardRoutes(app, {
    authenticate: async (key) => {
      await Promise.resolve();
      if (!key) throw new SpeechError('authentication_required', 'Send an API key.');
      const accountId = KEYS[key];
      if (!accountId) throw new SpeechError('invalid_api_key', 'This API key is not valid.');
      return callerOf(accountId, key);
    },
    redeem: async (token) => {
      const scopes = TOKENS.get(token);
      if (!scopes) throw new SpeechError('invalid_api_key', 'Not a token.');
      return { ...callerOf('blue', 'sk_blue'), scopes };
    },
  });
  botRoutes(app, {
    callRegistry,
    connections,
    confirm: async ({ keyId }) => {
      if (revoked.has(keyId)) throw new SpeechError('invalid_api_key', 'This key was revoked.');
    },
    ...options,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    connections,
    revoked,
    [Symbol.asyncDispose]: async () => {
      await connections.drain(0);
      await app.close();
    },
  };
}

function callerOf(accountId: string, keyId: string): Caller {
  return { accountId, tier: 'business', concurrencyLimit: null, keyId, keyHash: '', scopes: 'all' };
}
