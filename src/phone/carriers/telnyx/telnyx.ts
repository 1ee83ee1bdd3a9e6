import type { Carrier } from '../../calls/carrier.ts';
import { TELNYX_MAX_UNITS, TelnyxDialect } from './telnyx-dialect.ts';

/** Telnyx Media Streaming (developers.telnyx.com, "Media Streaming over Websockets"). */
export const telnyx: Carrier = {
  name: 'telnyx',
  transport: 'websocket',
  unitsPerMessage: 1,
  maxUnitsPerMessage: TELNYX_MAX_UNITS,
  // As for Twilio.
  leadMs: 400,
  answersMarks: true,
  clears: true,
  open: (request) => new TelnyxDialect(request),
};
