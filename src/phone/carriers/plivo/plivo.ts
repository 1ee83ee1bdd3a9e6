import type { Carrier } from '../../calls/carrier.ts';
import { PLIVO_MAX_UNITS, PlivoDialect } from './plivo-dialect.ts';

/** Plivo audio streaming (plivo.com/docs/voice/xml/audiostream). */
export const plivo: Carrier = {
  name: 'plivo',
  transport: 'websocket',
  unitsPerMessage: 1,
  maxUnitsPerMessage: PLIVO_MAX_UNITS,
  // As for Twilio.
  leadMs: 400,
  answersMarks: true,
  clears: true,
  open: (request) => new PlivoDialect(request),
};
