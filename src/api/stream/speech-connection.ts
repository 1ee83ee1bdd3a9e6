import type { WebSocket } from 'ws';
import type { Credentials } from '../../domain/account.ts';
import { askForUpgrade } from '../websocket/ask-for-upgrade.ts';
import { CONFIRM_INTERVAL_MS } from '../websocket/key-watch.ts';
import { type ConnectionOptions, SocketSession } from '../websocket/socket-session.ts';
import type { ConnectionAdmission, SpeechSocketRequest } from './admission.ts';
import type { StreamServices } from './stream-services.ts';

/** What sets one websocket of speech apart from another. */
export interface SpeechDoor
  extends Pick<
    ConnectionOptions,
    'dialect' | 'inactivityTimeoutMs' | 'hasContexts' | 'endsContextAlone' | 'greeting'
  > {
  /** @param carried by the first message. */
  readonly admit: (carried: Credentials | undefined) => Promise<ConnectionAdmission>;
}

/** Serves a websocket that has just been opened, until it ends. */
export function openSpeechConnection(
  socket: WebSocket,
  { id, log, knownCaller }: Pick<SpeechSocketRequest, 'id' | 'log' | 'knownCaller'>,
  { admit, ...door }: SpeechDoor,
  services: StreamServices,
): SocketSession {
  const { connections, telemetry, writeDeadlineMs, confirmIntervalMs } = services;
  let admission: ConnectionAdmission | undefined;
  const admitted = () => {
    if (admission) return admission;
    throw new Error('Speech began before the connection was admitted.');
  };
  const connection: SocketSession = new SocketSession(socket, {
    ...door,
    connectionId: id,
    isKnown: knownCaller !== undefined,
    writeDeadlineMs,
    admit: async (carried) => {
      admission = await admit(carried);
    },
    confirm: () => services.speech.confirm(admitted().caller),
    confirmIntervalMs: confirmIntervalMs ?? CONFIRM_INTERVAL_MS,
    ready: (command) => admitted().ready?.(command),
    beginSpeech: (contextId, settings, sink) => admitted().openerOf(contextId)(settings, sink),
    onMessage: (direction) => telemetry.message(direction),
    onEnd: (error, traceId) => {
      connections.delete(connection);
      telemetry.connectionEnded(log, error, traceId);
    },
  });
  connections.add(connection);
  telemetry.connectionOpened();
  return connection;
}

/** Answers a plain request to the address of a websocket of speech. */
export const askForSpeechUpgrade = askForUpgrade(
  'This address is a websocket. Connect to it with the ws or wss scheme.',
);
