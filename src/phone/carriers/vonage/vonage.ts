import type { Carrier } from '../../calls/carrier.ts';
import { VonageDialect } from './vonage-dialect.ts';

/** Vonage Voice API websockets (developer.vonage.com, "WebSockets in the Vonage Voice API"). */
export const vonage: Carrier = {
  name: 'vonage',
  transport: 'websocket',
  unitsPerMessage: 1,
  // A message must be of exactly 20 ms; more of them at once are buffered, up to 3072.
  maxUnitsPerMessage: 1,
  leadMs: 400,
  // By `notify`, which comes back once the audio before it has been played.
  answersMarks: true,
  clears: true,
  open: (request) => new VonageDialect(request),
};
