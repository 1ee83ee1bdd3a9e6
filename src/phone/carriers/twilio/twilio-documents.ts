import { type CarrierDocuments, formatWords } from '../call-document.ts';
import { afterDocument, streamDocument } from '../twiml.ts';

const FORMATS = new Map([['ulaw_8000', {}]]);

/** TwiML (twilio.com/docs/voice/twiml/stream). */
export const twilioDocuments: CarrierDocuments = {
  fields: { callId: 'CallSid', from: 'From', to: 'To' },
  call: (setup) => streamDocument(setup, formatWords(setup.format, FORMATS)),
  after: afterDocument,
};
