/** Why a call could not be placed. */
export type PhoneErrorReason =
  /** It asks for something that the carrier does not have. */
  | 'unsuitable'
  /** Nobody answers at the address. */
  | 'unreachable'
  /** The server answered and would not have the call. */
  | 'refused';

/** A call could not be placed; the message is a sentence for the caller. */
export class PhoneError extends Error {
  readonly reason: PhoneErrorReason;
  /** HTTP status of a refusal. */
  readonly status: number | undefined;

  constructor(
    reason: PhoneErrorReason,
    message: string,
    options: { readonly cause?: unknown; readonly status?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'PhoneError';
    this.reason = reason;
    this.status = options.status;
  }
}
