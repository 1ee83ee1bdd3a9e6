import type { Carrier } from '../../calls/carrier.ts';
import { TwilioDialect, twilioManner } from './twilio-dialect.ts';

const MAX_UNITS = 50;

const MANNER = twilioManner(
  {
    carrier: 'Twilio',
    accepted: ['ulaw_8000'],
    advice: 'Twilio streams mu-law at 8000 Hz and nothing else.',
  },
  MAX_UNITS,
);

/** Twilio Media Streams (twilio.com/docs/voice/media-streams). */
export const twilio: Carrier = {
  name: 'twilio',
  transport: 'websocket',
  unitsPerMessage: 1,
  // A message may be of any length; a second of mu-law is 11 kB of JSON.
  maxUnitsPerMessage: MAX_UNITS,
  // Outlasts a lost packet, which is sent again after 200 ms and a round trip. `clear` drops what is
  // ahead, so that the lead costs barge-in nothing.
  leadMs: 400,
  answersMarks: true,
  clears: true,
  open: (request) => new TwilioDialect(MANNER, request),
};
