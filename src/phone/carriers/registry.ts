import type { Carrier } from '../calls/carrier.ts';
import { asterisk } from './asterisk/asterisk.ts';
import { audiosocket } from './audiosocket/audiosocket.ts';
import { exotel } from './exotel/exotel.ts';
import { freeswitch } from './freeswitch/freeswitch.ts';
import { genesys } from './genesys/genesys.ts';
import { plivo } from './plivo/plivo.ts';
import { signalwire } from './signalwire/signalwire.ts';
import { telnyx } from './telnyx/telnyx.ts';
import { twilio } from './twilio/twilio.ts';
import { vonage } from './vonage/vonage.ts';

/** One row a carrier. Routes, documents and the contract suite go by this list. */
export const CARRIERS: readonly Carrier[] = [
  twilio,
  signalwire,
  telnyx,
  plivo,
  vonage,
  exotel,
  genesys,
  asterisk,
  audiosocket,
  freeswitch,
];

export function findCarrier(name: string): Carrier | undefined {
  return CARRIERS.find((carrier) => carrier.name === name);
}
