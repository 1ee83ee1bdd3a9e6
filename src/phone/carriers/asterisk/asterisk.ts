import type { Carrier } from '../../calls/carrier.ts';
import { AsteriskDialect } from './asterisk-dialect.ts';

/** Asterisk's channel driver `chan_websocket`. */
export const asterisk: Carrier = {
  name: 'asterisk',
  transport: 'websocket',
  unitsPerMessage: 1,
  // A message above 65 500 bytes hangs the call up; half a second of slin48 is 48 000.
  maxUnitsPerMessage: 25,
  // It keeps up to 20 s and asks for a pause at 18; it mostly stands in the same building.
  leadMs: 200,
  answersMarks: true,
  clears: true,
  open: (request) => new AsteriskDialect(request),
};
