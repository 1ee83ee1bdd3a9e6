import type { CarrierName } from '../../../domain/carrier.ts';
import type { OpenSide } from '../carrier-side.ts';
import { openAsteriskSide } from './asterisk-side.ts';
import { openAudioSocketSide } from './audiosocket-side.ts';
import { openExotelSide } from './exotel-side.ts';
import { openFreeswitchSide } from './freeswitch-side.ts';
import { openGenesysSide } from './genesys-side.ts';
import { openPlivoSide } from './plivo-side.ts';
import { openTelnyxSide } from './telnyx-side.ts';
import { openSignalwireSide, openTwilioSide } from './twilio-side.ts';
import { openVonageSide } from './vonage-side.ts';

/** Every carrier that the phone can play; a new one is a file beside this one and a row here. */
export const SIDES: Readonly<Record<CarrierName, OpenSide>> = {
  twilio: openTwilioSide,
  signalwire: openSignalwireSide,
  telnyx: openTelnyxSide,
  plivo: openPlivoSide,
  vonage: openVonageSide,
  exotel: openExotelSide,
  genesys: openGenesysSide,
  asterisk: openAsteriskSide,
  audiosocket: openAudioSocketSide,
  freeswitch: openFreeswitchSide,
};
