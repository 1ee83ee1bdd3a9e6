import { type CarrierDocuments, formatWords, isSipAddress } from '../call-document.ts';
import { responseDocument } from '../twiml.ts';

const CONTENT_TYPES = new Map([
  ['ulaw_8000', 'audio/x-mulaw;rate=8000'],
  ['pcm_8000', 'audio/x-l16;rate=8000'],
  ['pcm_16000', 'audio/x-l16;rate=16000'],
]);

/**
 * Plivo XML (plivo.com/docs/voice/xml/audiostream). What the stream must know travels in the query
 * of its address: `extraHeaders` takes letters and digits only.
 */
export const plivoDocuments: CarrierDocuments = {
  fields: { callId: 'CallUUID', from: 'From', to: 'To' },
  call: ({ streamUrl, afterUrl, token, from, to, format }) => {
    const query = new URLSearchParams({ token, ...(from && { from }), ...(to && { to }) });
    const attributes = {
      bidirectional: 'true',
      keepCallAlive: 'true',
      contentType: formatWords(format, CONTENT_TYPES),
    };
    return responseDocument([
      { name: 'Stream', attributes, text: `${streamUrl}?${query}` },
      { name: 'Redirect', attributes: { method: 'POST' }, text: afterUrl },
    ]);
  },
  after: (number) => {
    if (number === undefined) return responseDocument([{ name: 'Hangup' }]);
    const callee = { name: isSipAddress(number) ? 'User' : 'Number', text: number };
    return responseDocument([{ name: 'Dial', children: [callee] }]);
  },
};
