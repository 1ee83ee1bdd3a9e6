/** How long a carrier may take to ask what follows a call. */
const KEPT_MS = 5 * 60_000;
/** More than this many of one account are not kept; other accounts are not touched by that. */
const MOST_KEPT_PER_ACCOUNT = 1000;

/** A call that is passed on, by the names that its carrier may ask for it with. */
export interface TransferredCall {
  readonly accountId: string;
  readonly lineId: string;
  /** The carrier's own id of the call, where it tells one. */
  readonly carrierCallId: string | undefined;
  /** What the call's set-up document told the carrier to ask with; see `AdmittedCall`. */
  readonly followUpToken: string | undefined;
}

/** What a carrier asks with: a token that nobody can guess, or the call's id in the name of an account. */
export type TransferQuestion =
  | (Pick<TransferredCall, 'lineId'> & { readonly followUpToken: string })
  | (Pick<TransferredCall, 'accountId' | 'lineId'> & { readonly carrierCallId: string });

interface Transfer extends TransferredCall {
  readonly to: string;
  readonly untilMs: number;
}

/** Where bots have passed calls on to, until the carriers ask: once each, and only for their own. */
export class Transfers {
  readonly #now: () => number;
  /** By account; the oldest first. */
  readonly #kept = new Map<string, Transfer[]>();

  /** @param now milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  remember(call: TransferredCall, to: string): void {
    const nowMs = this.#now();
    this.#forgetOld(nowMs);
    const { accountId, lineId, carrierCallId } = call;
    const others = (this.#kept.get(accountId) ?? []).filter(
      (kept) =>
        carrierCallId === undefined ||
        kept.lineId !== lineId ||
        kept.carrierCallId !== carrierCallId,
    );
    const transfer = { ...call, to, untilMs: nowMs + KEPT_MS };
    this.#kept.set(accountId, [...others, transfer].slice(-MOST_KEPT_PER_ACCOUNT));
  }

  /** @returns the number, to the first who asks in time. */
  take(question: TransferQuestion): string | undefined {
    this.#forgetOld(this.#now());
    for (const [accountId, transfers] of this.#kept) {
      const found = transfers.find((transfer) => isAsked(transfer, question));
      if (!found) continue;
      this.#keep(
        accountId,
        transfers.filter((transfer) => transfer !== found),
      );
      return found.to;
    }
    return undefined;
  }

  /** Whether a carrier may still ask about a call that was passed on within the last `withinMs`. */
  hasNewerThan(withinMs: number): boolean {
    const sinceMs = this.#now() + KEPT_MS - withinMs;
    return [...this.#kept.values()].flat().some(({ untilMs }) => untilMs > sinceMs);
  }

  #forgetOld(nowMs: number): void {
    for (const [accountId, transfers] of this.#kept) {
      this.#keep(
        accountId,
        transfers.filter(({ untilMs }) => untilMs > nowMs),
      );
    }
  }

  #keep(accountId: string, transfers: Transfer[]): void {
    if (transfers.length > 0) this.#kept.set(accountId, transfers);
    else this.#kept.delete(accountId);
  }
}

function isAsked(transfer: Transfer, question: TransferQuestion): boolean {
  if (transfer.lineId !== question.lineId) return false;
  if ('followUpToken' in question) return transfer.followUpToken === question.followUpToken;
  return (
    transfer.accountId === question.accountId && transfer.carrierCallId === question.carrierCallId
  );
}
