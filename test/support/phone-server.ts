import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openHttp } from '../../src/api/http/open-http.ts';
import { guardRoutes } from '../../src/api/identity/guard-routes.ts';
import { openSockets } from '../../src/api/stream/open-sockets.ts';
import { LiveConnections } from '../../src/api/websocket/live-connections.ts';
import type { Caller } from '../../src/domain/account.ts';
import { SpeechError } from '../../src/domain/errors.ts';
import { answerCalls } from '../../src/phone/bots/answer-calls.ts';
import { botRoutes } from '../../src/phone/bots/bot-routes.ts';
import { DIAL_SETTINGS } from '../../src/phone/bots/dialled-bot.ts';
import type { CallRecord } from '../../src/phone/calls/call-messages.ts';
import type { Line } from '../../src/phone/calls/line.ts';
import { PhoneCalls } from '../../src/phone/calls/phone-calls.ts';
import { carrierRoutes } from '../../src/phone/carriers/carrier-routes.ts';
import { DEFAULT_LINE, LineRegistry } from '../../src/phone/lines/line-registry.ts';
import { prepareCodecs } from '../../src/synthesis/audio/codec.ts';
import { CallTelemetry } from '../../src/telemetry/call-telemetry.ts';
import { Telemetry } from '../../src/telemetry/telemetry.ts';
import { ToneEngine } from './tone-engine.ts';
import { toneSpeech } from './tone-speech.ts';

/** Keys that the server knows, by the accounts that they belong to. */
const ACCOUNTS: Readonly<Record<string, string>> = { sk_blue: 'blue', sk_red: 'red' };

export interface PhoneServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly engine: ToneEngine;
  readonly calls: PhoneCalls;
  readonly connections: LiveConnections;
  /** Of every call so far. */
  readonly records: readonly CallRecord[];
  /** The log, line by line. */
  readonly logLines: readonly string[];
  /** Everything that has been spoken. */
  spoken(): string;
}

/** Real calls between the real doors of carriers and of bots; only the engine has no model. */
export async function startPhoneServer(
  lines: ReadonlyArray<Partial<Line> & Pick<Line, 'lineId'>>,
  samplesPerSymbol?: number,
): Promise<PhoneServer> {
  await prepareCodecs();
  const engine = new ToneEngine(samplesPerSymbol === undefined ? {} : { samplesPerSymbol });
  const connections = new LiveConnections();
  const logLines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const lineRegistry = new LineRegistry(lines.map((line) => ({ ...DEFAULT_LINE, ...line })));
  const dialSettings = { ...DIAL_SETTINGS, retryDelaysMs: [1, 1] };
  const answer = await answerCalls({ lines: lineRegistry.lines, log, dialSettings });
  const records: CallRecord[] = [];
  const telemetry = new Telemetry(() => idleEngine());
  const calls = new PhoneCalls({
    speech: toneSpeech(engine, { telemetry }),
    telemetry: new CallTelemetry(telemetry),
    openLog: (ids) => log.child(ids),
    tell: async () => undefined,
    assertRoom: () => undefined,
    liveCalls: connections,
    answer: (call, line, attach) => {
      records.push(call);
      answer(call, line, attach);
    },
    voiceActivity: undefined,
  });
  const app = openHttp(log);
  await openSockets(app);
  guardRoutes(app, {
    authenticate: async (key) => callerOf(key),
    redeem: async () => callerOf(undefined),
  });
  carrierRoutes(app, {
    ...{ mediaStreams: calls, lines: lineRegistry },
    issueToken: async () => 'token',
    callerOfKey: async () => callerOf('sk_blue'),
    publicUrl: undefined,
    isTrustedProxy: () => false,
    now: Date.now,
  });
  const confirm = async () => undefined;
  botRoutes(app, { callRegistry: calls.callRegistry, connections, confirm });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    ...{ engine, calls, connections, records, logLines },
    spoken: () => engine.spoken.join(''),
    [Symbol.asyncDispose]: async () => {
      await connections.drain(0);
      await app.close();
    },
  };
}

function idleEngine() {
  return {
    queuedSteps: 0,
    liveJobs: 0,
    workingJobs: 0,
    ratedStreams: 8,
    respawns: 0,
    realTimeFactor: 0,
  };
}

function callerOf(key: string | undefined): Caller {
  if (!key) throw new SpeechError('authentication_required', 'Send an API key.');
  const accountId = ACCOUNTS[key];
  if (!accountId) throw new SpeechError('invalid_api_key', 'This API key is not valid.');
  const keyId = key;
  return { accountId, keyId, tier: 'business', concurrencyLimit: null, keyHash: '', scopes: 'all' };
}
