/** Audio towards a carrier travels in units of this length; carriers take one or several at a time. */
export const UNIT_MS = 20;

/** The media protocols that are spoken, as they stand in addresses, settings and logs. */
export const CARRIER_NAMES = [
  'twilio',
  'signalwire',
  'telnyx',
  'plivo',
  'vonage',
  'exotel',
  'genesys',
  'asterisk',
  'audiosocket',
  'freeswitch',
] as const;
export type CarrierName = (typeof CARRIER_NAMES)[number];

/** One message on the wire: a text or a binary websocket message, or one packet of a TCP stream. */
export type CarrierMessage = string | Uint8Array;
