import { type CarrierDocuments, formatWords } from '../call-document.ts';
import { afterDocument, streamDocument } from '../twiml.ts';

/** TeXML does not offer L16; Call Control does. */
const CODECS = new Map([
  ['ulaw_8000', 'PCMU'],
  ['alaw_8000', 'PCMA'],
]);

/**
 * TeXML (developers.telnyx.com, "TeXML verbs: Stream"). Without `rtp` mode the caller hears nothing.
 * Telnyx decides on the codec of either direction by itself, so that both are named, and the one
 * that we must speak is passed along.
 */
export const telnyxDocuments: CarrierDocuments = {
  fields: { callId: 'CallSid', from: 'From', to: 'To' },
  call: (setup) => {
    const codec = formatWords(setup.format, CODECS);
    return streamDocument(
      setup,
      {
        track: 'inbound_track',
        codec,
        bidirectionalMode: 'rtp',
        bidirectionalCodec: codec,
        bidirectionalSamplingRate: '8000',
      },
      { spoken_codec: codec },
    );
  },
  after: afterDocument,
};
