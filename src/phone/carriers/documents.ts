import type { CarrierName } from '../../domain/carrier.ts';
import { dialplanDocuments } from './asterisk/dialplan-documents.ts';
import type { CarrierDocuments } from './call-document.ts';
import { exotelDocuments } from './exotel/exotel-documents.ts';
import { plivoDocuments } from './plivo/plivo-documents.ts';
import { signalwireDocuments } from './signalwire/signalwire-documents.ts';
import { telnyxDocuments } from './telnyx/telnyx-documents.ts';
import { twilioDocuments } from './twilio/twilio-documents.ts';
import { vonageDocuments } from './vonage/vonage-documents.ts';

/** One row a carrier that asks over HTTP what to do with a call. */
export const DOCUMENTS: Readonly<Partial<Record<CarrierName, CarrierDocuments>>> = {
  twilio: twilioDocuments,
  signalwire: signalwireDocuments,
  telnyx: telnyxDocuments,
  plivo: plivoDocuments,
  vonage: vonageDocuments,
  exotel: exotelDocuments,
  asterisk: dialplanDocuments,
  audiosocket: dialplanDocuments,
  freeswitch: dialplanDocuments,
};
