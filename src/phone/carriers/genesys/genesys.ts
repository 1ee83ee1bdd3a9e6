import type { Carrier } from '../../calls/carrier.ts';
import { GenesysDialect } from './genesys-dialect.ts';

/** Genesys Cloud's Audio Connector: the AudioHook protocol, version 2. */
export const genesys: Carrier = {
  name: 'genesys',
  transport: 'websocket',
  // Genesys takes five messages a second, 25 in a burst: 200 ms a message is real time exactly.
  unitsPerMessage: 10,
  // As little in a message as the rate allows, so that a barge-in has little to drop.
  maxUnitsPerMessage: 10,
  leadMs: 400,
  answersMarks: false,
  // By a barge-in event.
  clears: true,
  open: (request) => new GenesysDialect(request),
};
