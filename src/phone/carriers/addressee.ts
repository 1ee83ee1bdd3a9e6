import { SpeechError } from '../../domain/errors.ts';
import type { Carrier } from '../calls/carrier.ts';
import type { Line } from '../calls/line.ts';
import type { CarrierServices } from './carrier-services.ts';
import { CARRIERS, findCarrier } from './registry.ts';

/** What of a wrong name is repeated. */
const MAX_NAME_LENGTH = 64;

/** @throws SpeechError `not_found`. */
export function lineOf({ lines }: Pick<CarrierServices, 'lines'>, lineId: string): Line {
  const line = lines.find(lineId);
  if (line) return line;
  throw new SpeechError(
    'not_found',
    `There is no line "${lineId.slice(0, MAX_NAME_LENGTH)}" here. Lines are named in the file of SIDETONE_LINES.`,
    { param: 'line' },
  );
}

/** @throws SpeechError `not_found`. */
export function carrierOf(name: string): Carrier {
  const carrier = findCarrier(name);
  if (carrier) return carrier;
  const names = CARRIERS.map((known) => known.name).join(', ');
  throw new SpeechError(
    'not_found',
    `There is no carrier "${name.slice(0, MAX_NAME_LENGTH)}" here. Use one of: ${names}.`,
    { param: 'carrier' },
  );
}

/** @throws SpeechError `not_found`, also for a carrier that does not connect over a websocket. */
export function socketCarrierOf(name: string): Carrier {
  const carrier = carrierOf(name);
  if (carrier.transport === 'websocket') return carrier;
  throw new SpeechError(
    'not_found',
    `${carrier.name} does not connect over a websocket. Point it at the port of SIDETONE_AUDIOSOCKET_PORT.`,
    { param: 'carrier' },
  );
}
