import type { SignedRequest } from '../../../../src/phone/carriers/signed-request.ts';

export const NOW_MS = 1_763_700_000_000;

type Form = Readonly<Record<string, string>>;

/** A request with a form in its body; without one, a GET. */
export function signedRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  form?: Form,
): SignedRequest {
  return {
    method: form ? 'POST' : 'GET',
    url,
    headers,
    body: Buffer.from(form ? new URLSearchParams(form).toString() : ''),
    form: Object.entries(form ?? {}),
    nowMs: NOW_MS,
  };
}

/** What a call webhook posts, with what trips signatures up in its values. */
export const CALL_FORM: Form = {
  CallSid: 'CA0123456789abcdef0123456789abcdef',
  From: '+14155550100',
  To: '+14155550199',
  CallerName: "O'Neill & Söhne <täst>",
  Digits: '',
  AccountSid: 'AC00',
  a: 'lower case sorts last',
};
