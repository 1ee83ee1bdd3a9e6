import { type CallDocument, type CallSetup, isSipAddress } from './call-document.ts';
import { type XmlElement, xmlDocument } from './xml.ts';

/** `<Response>` with these verbs: TwiML and its relatives. */
export function responseDocument(verbs: readonly XmlElement[]): CallDocument {
  return {
    contentType: 'text/xml; charset=utf-8',
    body: xmlDocument({ name: 'Response', children: verbs }),
  };
}

/**
 * TwiML that opens a bidirectional stream and asks, when it has ended, what follows. What the stream
 * must know travels in `<Parameter>`: queries do not arrive (Twilio's error 31920).
 *
 * @param attributes of `<Stream>`, besides its address.
 * @param parameters besides the token and the two numbers.
 */
export function streamDocument(
  setup: CallSetup,
  attributes: XmlElement['attributes'] = {},
  parameters: Readonly<Record<string, string>> = {},
): CallDocument {
  const { streamUrl, afterUrl, token, from, to } = setup;
  const given = Object.entries({ token, from, to, ...parameters });
  const children = given.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: 'Parameter', attributes: { name, value } }],
  );
  const stream = { name: 'Stream', attributes: { url: streamUrl, ...attributes }, children };
  return responseDocument([
    { name: 'Connect', children: [stream] },
    { name: 'Redirect', attributes: { method: 'POST' }, text: afterUrl },
  ]);
}

/** TwiML that connects the caller with a number or a SIP address, or hangs up. */
export function afterDocument(number: string | undefined): CallDocument {
  if (number === undefined) return responseDocument([{ name: 'Hangup' }]);
  return responseDocument([
    isSipAddress(number)
      ? { name: 'Dial', children: [{ name: 'Sip', text: number }] }
      : { name: 'Dial', text: number },
  ]);
}
