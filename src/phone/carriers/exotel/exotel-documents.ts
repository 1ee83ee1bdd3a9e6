import { type CallDocument, type CarrierDocuments, formatWords } from '../call-document.ts';

/** Parameters of the stream's address. */
const RATES = new Map([
  ['pcm_8000', '8000'],
  ['pcm_16000', '16000'],
  ['pcm_24000', '24000'],
]);

/**
 * What Exotel's applets ask for: the Voicebot applet the address of its stream, the Connect applet
 * whom to dial (support.exotel.com, "Working with the Stream and Voicebot Applet" and "Working with
 * Connect Applet (Dynamic URL)").
 */
export const exotelDocuments: CarrierDocuments = {
  fields: { callId: 'CallSid', from: 'CallFrom', to: 'CallTo' },
  call: ({ streamUrl, token, format }) => {
    const query = new URLSearchParams({ 'sample-rate': formatWords(format, RATES), token });
    return json({ url: `${streamUrl}?${query}` });
  },
  after: (number) => json({ destination: { numbers: number === undefined ? [] : [number] } }),
};

function json(body: object): CallDocument {
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
