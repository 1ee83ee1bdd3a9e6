import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { logOptions } from '../../src/api/http/log-options.ts';
import { openHttp } from '../../src/api/http/open-http.ts';
import { guardRoutes } from '../../src/api/identity/guard-routes.ts';
import { openSockets } from '../../src/api/stream/open-sockets.ts';
import type { Line } from '../../src/phone/calls/line.ts';
import { carrierRoutes } from '../../src/phone/carriers/carrier-routes.ts';
import { DEFAULT_LINE, LineRegistry } from '../../src/phone/lines/line-registry.ts';
import { Accounts } from '../../src/service/account/accounts.ts';
import { AddressList } from '../../src/service/account/address-list.ts';
import { ApiKeyRegistry, type NewKey } from '../../src/service/account/api-key-registry.ts';
import { Authenticator, callerOfKey } from '../../src/service/account/authenticator.ts';
import { SingleUseTokens } from '../../src/service/account/single-use-tokens.ts';
import { RecordingStreamHandler } from './recording-stream-handler.ts';
import { openStorageHere } from './storage-here.ts';
import { temporaryDir } from './temporary-dir.ts';

export interface CarrierServer extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly mediaStreams: RecordingStreamHandler;
  /** An API key of the default account; the first there is. */
  readonly key: NewKey;
  readonly apiKeyRegistry: ApiKeyRegistry;
  /** Makes another account. @returns its id. */
  addAccount(): Promise<string>;
  /** Milliseconds since 1970; tests may move it. */
  readonly clock: { nowMs: number };
  /** The log, line by line. */
  readonly logLines: readonly string[];
}

export interface CarrierServerOptions {
  readonly lines?: ReadonlyArray<Partial<Line> & Pick<Line, 'lineId'>>;
  readonly publicUrl?: string;
  readonly trustedProxies?: readonly string[];
}

/** The real doors for carriers, from upgrade to close frame, with a desk that writes down what comes. */
export async function startCarrierServer(
  options: CarrierServerOptions = {},
): Promise<CarrierServer> {
  const { lines = [], publicUrl, trustedProxies = [] } = options;
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const storage = await openStorageHere({ dataDir: temporaryDir() });
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: undefined,
    now,
  });
  const key = await apiKeyRegistry.create('default', 'carrier');
  const proxies = new AddressList(trustedProxies);
  const authenticator = new Authenticator(apiKeyRegistry, proxies);
  const tokens = new SingleUseTokens({ store: storage.tokens, keys: apiKeyRegistry, now });
  const logLines: string[] = [];
  const log = { write: (line: string) => void logLines.push(line) };
  const app = openHttp(pino(logOptions('trace'), log));
  await openSockets(app);
  guardRoutes(app, {
    authenticate: (secret, origin) => authenticator.authenticate(secret, origin),
    redeem: (token, purpose) => tokens.redeem(token, purpose),
  });
  const mediaStreams = new RecordingStreamHandler();
  carrierRoutes(app, {
    mediaStreams,
    lines: new LineRegistry(lines.map((line) => ({ ...DEFAULT_LINE, ...line }))),
    issueToken: (caller) => tokens.issue(caller, 'call_stream'),
    callerOfKey: async (keyId) => callerOfKey(await apiKeyRegistry.findById(keyId)),
    publicUrl,
    isTrustedProxy: (address) => proxies.has(address),
    now,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    mediaStreams,
    key,
    apiKeyRegistry,
    addAccount: async () => {
      const accounts = new Accounts(storage.accounts, now);
      return (await accounts.create({ name: 'Another', tier: 'pro' })).accountId;
    },
    clock,
    logLines,
    [Symbol.asyncDispose]: async () => {
      for (const client of app.websocketServer.clients) client.terminate();
      await app.close();
      await storage.close();
    },
  };
}
