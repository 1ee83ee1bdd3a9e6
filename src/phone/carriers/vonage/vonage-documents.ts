import {
  type CallDocument,
  type CarrierDocuments,
  formatWords,
  isSipAddress,
} from '../call-document.ts';

const CONTENT_TYPES = new Map(
  [16000, 8000, 24000].map((rate) => [`pcm_${rate}`, `audio/l16;rate=${rate}`]),
);

/**
 * NCCO (developer.vonage.com, "NCCO reference"). `headers` come back in the first message of the
 * websocket, and the token that Vonage signs comes with its upgrade. A `notify` behind the websocket
 * asks what follows: its answer takes the document's place.
 */
export const vonageDocuments: CarrierDocuments = {
  fields: { callId: 'uuid', from: 'from', to: 'to' },
  call: ({ streamUrl, afterUrl, token, carrierCallId, from, to, format }) => {
    const headers = {
      token,
      ...(carrierCallId && { call_id: carrierCallId }),
      ...(from && { from }),
      ...(to && { to }),
    };
    const endpoint = {
      type: 'websocket',
      uri: streamUrl,
      'content-type': formatWords(format, CONTENT_TYPES),
      authorization: { type: 'vonage' },
      headers,
    };
    const payload = carrierCallId ? { uuid: carrierCallId } : {};
    return ncco([
      { action: 'connect', endpoint: [endpoint] },
      { action: 'notify', payload, eventUrl: [afterUrl], eventMethod: 'POST' },
    ]);
  },
  after: (number) => {
    if (number === undefined) return ncco([]);
    const endpoint = isSipAddress(number)
      ? { type: 'sip', uri: number }
      : { type: 'phone', number: number.replace(/^\+/, '') };
    return ncco([{ action: 'connect', endpoint: [endpoint] }]);
  },
};

function ncco(actions: readonly object[]): CallDocument {
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(actions) };
}
