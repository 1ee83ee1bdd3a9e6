import type { Carrier } from '../../calls/carrier.ts';
import { MAX_UNITS, PlivoDialect } from './plivo-dialect.ts';

/** Plivo audio streaming (plivo.com/docs/voice/xml/audiostream). */
export const plivo: Carrier = {
  name: 'plivo',
  transport: 'websocket',
  unitsPerMessage: 1,
  maxUnitsPerMessage: MAX_UNITS,
  // As for Twilio.
  leadMs: 400,
  answersMarks: true,
  clears: true,
  open: (request) => new PlivoDialect(request),
};
