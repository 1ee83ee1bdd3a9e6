import type { Carrier } from '../../calls/carrier.ts';
import { TwilioDialect, twilioManner } from '../twilio/twilio-dialect.ts';

const MAX_UNITS = 50;

const MANNER = twilioManner(
  {
    carrier: 'SignalWire',
    accepted: ['ulaw_8000', 'alaw_8000', 'pcm_8000', 'pcm_16000', 'pcm_24000'],
    advice:
      'Set the attribute codec of <Stream> to PCMU, PCMA, L16, L16@16000h or L16@24000h, or leave it out.',
  },
  MAX_UNITS,
);

/**
 * SignalWire's cXML streams (signalwire.com/docs/compatibility-api/cxml/reference/voice/stream):
 * Twilio's messages, in other codecs too. L16 is little-endian: bridges of theirs pass it on to
 * speech models unchanged. The attribute `realtime` must stay off, or it drops what is sent ahead.
 */
export const signalwire: Carrier = {
  name: 'signalwire',
  transport: 'websocket',
  unitsPerMessage: 1,
  maxUnitsPerMessage: MAX_UNITS,
  // As for Twilio.
  leadMs: 400,
  answersMarks: true,
  clears: true,
  open: (request) => new TwilioDialect(MANNER, request),
};
