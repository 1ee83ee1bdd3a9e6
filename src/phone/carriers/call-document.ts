import { SpeechError } from '../../domain/errors.ts';

/** What a carrier is answered that asks what to do with a call. */
export interface CallDocument {
  readonly contentType: string;
  readonly body: string;
}

/** What a call set-up document must say. */
export interface CallSetup {
  /** Of the media stream; `wss`, without a query. */
  readonly streamUrl: string;
  /** Where to ask what follows once the stream has ended; with its query. */
  readonly afterUrl: string;
  /** Opens one media stream. */
  readonly token: string;
  readonly carrierCallId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Name of an output format that the request asks for; undefined for the carrier's own. */
  readonly format: string | undefined;
}

/** The documents of one carrier. */
export interface CarrierDocuments {
  /** What its webhooks call the id of the call, who calls and who is called. */
  readonly fields: { readonly callId: string; readonly from: string; readonly to: string };
  /** @throws SpeechError `invalid_parameters` for a format that it does not stream. */
  call(setup: CallSetup): CallDocument;
  /** @param number whom to connect the caller with; undefined ends the call. */
  after(number: string | undefined): CallDocument;
}

/**
 * A carrier's words for an output format.
 * @param words by name of the format; the first is the default.
 * @throws SpeechError `invalid_parameters` that lists the formats there are.
 */
export function formatWords<T>(format: string | undefined, words: ReadonlyMap<string, T>): T {
  const [first] = words.keys();
  const chosen = words.get(format ?? first ?? '');
  if (chosen !== undefined) return chosen;
  throw new SpeechError(
    'invalid_parameters',
    `This carrier does not stream "${format}". Use one of: ${[...words.keys()].join(', ')}.`,
    { param: 'format' },
  );
}

/** A SIP address, in contrast to a phone number. */
export function isSipAddress(number: string): boolean {
  return /^sips?:/i.test(number);
}
