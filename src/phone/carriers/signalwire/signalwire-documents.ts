import { type CarrierDocuments, formatWords } from '../call-document.ts';
import { afterDocument, streamDocument } from '../twiml.ts';

/** The attribute `codec`; PCMU needs none. */
const CODECS = new Map<string, { readonly codec?: string }>([
  ['ulaw_8000', {}],
  ['alaw_8000', { codec: 'PCMA' }],
  ['pcm_16000', { codec: 'L16@16000h' }],
  ['pcm_24000', { codec: 'L16@24000h' }],
]);

/** cXML (signalwire.com/docs/compatibility-api/cxml/reference/voice/stream). */
export const signalwireDocuments: CarrierDocuments = {
  fields: { callId: 'CallSid', from: 'From', to: 'To' },
  call: (setup) => streamDocument(setup, formatWords(setup.format, CODECS)),
  after: afterDocument,
};
