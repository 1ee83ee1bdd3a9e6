import type { SpendingBounds } from '../../domain/account.ts';
import type { UsageDimension, UsageEntry, UsageLabels } from '../../domain/usage.ts';

/** Characters set aside for one request, before it is known whether they will be spoken. */
export interface Hold extends UsageLabels {
  readonly holdId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** The month that pays: the one in which the request began. Milliseconds since 1970. */
  readonly periodStartMs: number;
  /** The hour in which the request began. Milliseconds since 1970. */
  readonly hourStartMs: number;
  readonly characters: number;
  /** The process that works on the request. */
  readonly ownerId: string;
  /** When the owner counts as dead, unless it extends its holds before. Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Whose limit a hold would pass. */
export type HoldResult = 'held' | 'account-limit' | 'key-limit';

/** An account in one month, or a key of it. */
export interface UsageSubject {
  readonly accountId: string;
  /** Undefined for the account as a whole. */
  readonly keyId: string | undefined;
  readonly periodStartMs: number;
}

/** Which usage is asked for. */
export interface UsageSpan {
  readonly accountId: string;
  /** Hours and days that begin at this time or later, and before `toMs`. Milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Absent: in all. */
  readonly by?: UsageDimension;
}

/**
 * The ledger of characters. Counts include what is on hold; a hold ends in exactly one of `settle`
 * and expiry followed by `settle`, however many processes there are and whichever of them dies.
 * Requests do not wait for the disk: a power cut, unlike a crash, may take back what followed the
 * last `flush`.
 */
export interface UsageStore {
  /** @returns undefined when there is no such account. A key that is not stored has no limit. */
  bounds(accountId: string, keyId: string): Promise<SpendingBounds | undefined>;
  /** Sets characters aside from both the account's and the key's, or from neither. */
  hold(hold: Hold, limits: HoldLimits): Promise<HoldResult>;
  /** Notes how many of the characters have been handed to the caller so far. */
  deliver(holdId: string, characters: number): Promise<void>;
  /**
   * Ends a hold: charges so many characters and gives the others back.
   * @returns false when it had been settled before; nothing is charged again.
   */
  settle(holdId: string, characters: number): Promise<boolean>;
  /** Every owner with holds that have not expired. */
  owners(): Promise<readonly string[]>;
  /** Gives the holds of an owner more time, or ends it. */
  extend(ownerId: string, expiresAtMs: number): Promise<void>;
  /**
   * Charges holds whose owner died for what it had delivered, and gives the others back. An owner that
   * was only slow may still settle.
   * @returns how many there were.
   */
  expire(nowMs: number): Promise<number>;
  /** Puts the ledger on the disk. */
  flush(): Promise<void>;
  /** Characters charged or on hold. */
  used(subject: UsageSubject): Promise<number>;
  /** Characters charged in each hour, or day, the oldest first; hours without any are left out. */
  usedOverTime(span: UsageSpan): Promise<readonly UsageEntry[]>;
  /**
   * Makes usage over time smaller: hours before `hoursFromMs`, the beginning of a day (UTC), become days,
   * and what is before `daysFromMs` is forgotten. What months were charged stays.
   */
  condense(hoursFromMs: number, daysFromMs: number): Promise<void>;
  /**
   * Notes that a limit was reached.
   * @returns whether this limit is reached for the first time in its month.
   */
  markReached(subject: UsageSubject, limit: number): Promise<boolean>;
}

export interface HoldLimits {
  readonly account: number | null;
  readonly key: number | null;
}
