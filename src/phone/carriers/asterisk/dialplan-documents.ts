import type { CarrierDocuments } from '../call-document.ts';

/**
 * Answers for dialplans, which read them with `CURL()` (FreeSWITCH: `curl`): bare text instead of a
 * document. `call` is a token that opens one media stream, so that no key need stand in the
 * stream's address; `after` is the number to connect the caller with, or nothing.
 */
export const dialplanDocuments: CarrierDocuments = {
  fields: { callId: 'call_id', from: 'from', to: 'to' },
  call: ({ token }) => ({ contentType: 'text/plain; charset=utf-8', body: token }),
  after: (number) => ({ contentType: 'text/plain; charset=utf-8', body: number ?? '' }),
};
