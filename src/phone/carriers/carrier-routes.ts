import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { askForUpgrade } from '../../api/websocket/ask-for-upgrade.ts';
import { toSpeechError } from '../../domain/errors.ts';
import type { Carrier, StreamRequest } from '../calls/carrier.ts';
import type { Line } from '../calls/line.ts';
import { lineOf, socketCarrierOf } from './addressee.ts';
import { CarrierAuthenticator, type CarrierRequest } from './carrier-authenticator.ts';
import type { CarrierServices } from './carrier-services.ts';
import { documentRoutes } from './document-routes.ts';
import { WebsocketCarrierConnection } from './websocket-carrier-connection.ts';
import { WithheldCredentials } from './withheld-credentials.ts';

interface MediaRoute {
  Params: { readonly line: string; readonly carrier: string };
  Querystring: Readonly<Record<string, unknown>>;
}

/** A stream shows its key or token once it starts, unless its upgrade is signed. */
const STREAM_ACCESS = {
  scope: 'text_to_speech',
  door: 'carrier',
  tokens: ['call_stream'],
  key: 'later',
  withoutKey: {
    message:
      'The stream has neither token nor API key. Use the document of …/call, or add the parameter api_key to the stream.',
  },
} as const;

/** A request for a media stream, as far as it has been checked. */
interface CheckedUpgrade {
  readonly carrier: Carrier;
  readonly line: Line;
  /** Whether its signature alone lets it in. */
  readonly isProven: boolean;
}

/**
 * The doors for carriers: `WS /v1/lines/{line}/{carrier}` for the media of a call, and beside it the
 * documents that carriers ask for to set calls up. What is wrong with a line, a carrier or a
 * signature is said before the upgrade; who pays is asked at `start`.
 */
export function carrierRoutes(app: FastifyInstance, services: CarrierServices): void {
  const authenticator = new CarrierAuthenticator(services);
  const upgrades = new WeakMap<FastifyRequest, CheckedUpgrade>();
  app.route<MediaRoute>({
    method: 'GET',
    url: '/v1/lines/:line/:carrier',
    schema: { access: STREAM_ACCESS },
    preValidation: async (request) => {
      const line = lineOf(services, request.params.line);
      const carrier = socketCarrierOf(request.params.carrier);
      const isProven =
        request.headers.upgrade !== undefined && authenticator.upgrade(request, line, carrier);
      upgrades.set(request, { carrier, line, isProven });
    },
    handler: askForUpgrade(
      'This address takes media streams: connect to it with a websocket. Call set-up documents are at …/call.',
    ),
    wsHandler: (socket, request) => {
      const upgrade = upgrades.get(request);
      if (upgrade) serve(socket, request, upgrade, { services, authenticator });
    },
  });
  documentRoutes(app, services, authenticator);
}

function serve(
  socket: WebSocket,
  request: CarrierRequest,
  { carrier: ordinary, line, isProven }: CheckedUpgrade,
  {
    services,
    authenticator,
  }: { readonly services: CarrierServices; readonly authenticator: CarrierAuthenticator },
): void {
  const { headers, query, log } = request;
  const opened: StreamRequest = { headers, query };
  const carrier = ordinary.variant?.(opened) ?? ordinary;
  const connection = new WebsocketCarrierConnection(socket, {
    isTrusted: isProven,
    receive: (message) => stream.receive(message),
  });
  const dialect = new WithheldCredentials(carrier.open(opened));
  const stream = services.mediaStreams.open({
    carrier,
    dialect,
    line,
    connection,
    admit: async () => {
      const { credentials } = dialect;
      const admitted = authenticator.stream(request, line, { isProven, credentials });
      connection.trust();
      return admitted.catch((thrown) => {
        connection.blame(toSpeechError(thrown));
        throw thrown;
      });
    },
  });
  socket.on('close', (closeCode) => {
    stream.closed();
    const level = connection.error ? 'warn' : 'info';
    const { name } = carrier;
    log[level](
      { carrier: name, line: line.lineId, closeCode, code: connection.error?.code },
      connection.error?.message ?? 'media stream ended',
    );
  });
}
