import type { Carrier } from '../../calls/carrier.ts';
import { ExotelDialect } from './exotel-dialect.ts';

/** Exotel's Voicebot applet (developer.exotel.com, "Working with the Stream and Voicebot Applet"). */
export const exotel: Carrier = {
  name: 'exotel',
  transport: 'websocket',
  // At least 3200 bytes a message, in multiples of 320: that is 200 ms at 8 kHz, and more than
  // enough at the higher rates, where 20 ms are multiples of 320 as well.
  unitsPerMessage: 10,
  // At most 100 kB a message; a second at 24 kHz is 64 kB of Base64.
  maxUnitsPerMessage: 50,
  leadMs: 500,
  answersMarks: true,
  clears: true,
  open: (request) => new ExotelDialect(request),
};
