import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { askForUpgrade } from '../../api/websocket/ask-for-upgrade.ts';
import { CONFIRM_INTERVAL_MS, KeyWatch } from '../../api/websocket/key-watch.ts';
import { type Caller, hasScope } from '../../domain/account.ts';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import type { LiveWork, LiveWorkRegistry } from '../../domain/live-work.ts';
import type { BotHold } from '../calls/call-messages.ts';
import { wireCall } from './bot-events.ts';
import { CallSchema } from './bot-frame-schemas.ts';
import { BotSocket } from './bot-socket.ts';
import type { BotWireOptions } from './bot-wire.ts';
import { LobbySocket } from './lobby-socket.ts';
import type { WaitingCalls } from './waiting-calls.ts';
import { wantsBinaryAudio } from './wants-binary-audio.ts';

/** What is wrong with a key is said inside the websocket. */
const ACCESS = {
  scope: 'calls_attach',
  door: 'socket',
  tokens: ['calls_attach', 'calls_transfer'],
  key: 'later',
} as const;

export interface BotServices {
  readonly callRegistry: WaitingCalls;
  readonly connections: LiveWorkRegistry;
  /** Whether a caller's key still opens this door. @throws SpeechError once it does not. */
  readonly confirm: (caller: Caller) => Promise<unknown>;
  /** A bot that leaves what it is told unread for this long is cut; 10 000 unless given. */
  readonly writeDeadlineMs?: number;
  /** How often the key of an open connection is looked at again; 15 000 unless given. */
  readonly confirmIntervalMs?: number;
}

interface CallRequest {
  Params: { callId: string };
}

/** A connection that can end while its key is being checked. */
interface BotConnection extends LiveWork {
  readonly isEnded: boolean;
}

type OpenConnection<T> = (options: Omit<BotWireOptions, 'receive'>) => T;

/**
 * `WS /v1/calls/{call_id}`, by which a bot takes a call, `WS /v1/calls`, which tells it what calls
 * there are to take, and `GET /v1/calls`, the same as a list. Upgrades are always accepted: what is
 * wrong is said in an error frame before the close.
 */
export function botRoutes(app: FastifyInstance, services: BotServices): void {
  const { callRegistry } = services;
  app.route({
    method: 'GET',
    url: '/v1/calls',
    schema: {
      summary: 'List the calls that wait for a bot',
      description: 'A bot takes one by opening the websocket /v1/calls/{call_id}.',
      tags: ['Calls'],
      access: ACCESS,
      response: { 200: Type.Object({ calls: Type.Array(CallSchema) }) },
    },
    handler: async (request) => {
      const { accountId } = await request.identify();
      return { calls: callRegistry.waiting(accountId).map(wireCall) };
    },
    wsHandler: (socket, request) =>
      serve(
        request,
        services,
        (options) => new LobbySocket(socket, options),
        (lobby, { accountId }) => lobby.watch(callRegistry, accountId),
      ),
  });
  app.route<CallRequest>({
    method: 'GET',
    url: '/v1/calls/:callId',
    schema: { access: ACCESS },
    // A call that came in before must still find its bot.
    config: { answersWhileDraining: true },
    handler: askForUpgrade('A bot takes a call over a websocket at this address.'),
    wsHandler: (socket, request) => {
      const { callId } = request.params;
      const sendsBinaryAudio = wantsBinaryAudio(request.query);
      serve(
        request,
        services,
        (options) => new BotSocket(socket, { ...options, sendsBinaryAudio }),
        (bot, { accountId, scopes }) => {
          const hold = callRegistry.attach(accountId, callId, bot);
          bot.join(hasScope(scopes, 'calls_transfer') ? hold : withoutTransfers(hold));
        },
      );
    },
  });
}

/** For a bot whose key or token does not allow it to pass callers on. */
function withoutTransfers(hold: BotHold): BotHold {
  return {
    command: (command) => {
      if (command.type === 'transfer') throw mayNotTransfer();
      hold.command(command);
    },
    release: () => hold.release(),
  };
}

function mayNotTransfer(): SpeechError {
  return new SpeechError(
    'missing_permissions',
    'This key or token may not pass callers on. Use a key with the scope "calls_transfer", or a token of that type.',
  );
}

/** Lets a connection in once its key has been checked, and looks at the key again until it ends. */
function serve<T extends BotConnection>(
  request: FastifyRequest,
  services: BotServices,
  open: OpenConnection<T>,
  enter: (connection: T, caller: Caller) => void,
): void {
  const { connections, confirm } = services;
  let keyWatch: KeyWatch | undefined;
  const connection: T = open({
    writeDeadlineMs: services.writeDeadlineMs,
    onEnd: (error) => {
      keyWatch?.close();
      connections.delete(connection);
      request.log.info({ path: request.routeOptions.url, error: error?.code }, 'bot left');
    },
  });
  connections.add(connection);
  const begin = async () => {
    const caller = await request.identify();
    // A call must not be taken for a bot that has gone meanwhile.
    if (connection.isEnded) return;
    const intervalMs = services.confirmIntervalMs ?? CONFIRM_INTERVAL_MS;
    keyWatch = new KeyWatch(
      intervalMs,
      () => confirm(caller),
      (error) => connection.fail(error),
    );
    enter(connection, caller);
  };
  begin().catch((thrown: unknown) => connection.fail(toSpeechError(thrown)));
}
