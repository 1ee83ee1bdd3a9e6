import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Hold,
  HoldLimits,
  HoldResult,
  UsageStore,
  UsageSubject,
} from '../storage/usage-store.ts';
import { settledWithin } from './settled-within.ts';
import type { StorageHealth } from './storage-health.ts';

const RETRY_MS = 1_000;
/** What a shutdown waits for charges that could not be written before. */
const CLOSE_PATIENCE_MS = 2_000;
const NO_LIMITS: HoldLimits = { account: null, key: null };

/** Characters of one key in one hour, of one voice and model, that the ledger does not know of. */
interface Unrecorded {
  /** Any of its holds. */
  readonly hold: Hold;
  /** Of requests that may still be recorded by their own holds. */
  reserved: number;
  /** Of requests that have ended. */
  owed: number;
}

/** A hold, and whether the ledger has it, which may be known only later. */
export interface PlacedHold {
  readonly hold: Hold;
  /** What the ledger says; undefined when it has not said so in time. */
  readonly result: HoldResult | undefined;
  readonly isRecorded: Promise<boolean>;
}

/**
 * Writes to the ledger for those who speak, and never keeps them waiting for long. What cannot be
 * written is kept in memory, summed up by key, hour, model and voice, and charged when it can be: a process that ends before
 * takes it along.
 */
export class UsageRecorder {
  readonly #usage: UsageStore;
  readonly #health: StorageHealth;
  readonly #unrecorded = new Map<string, Unrecorded>();
  /** Characters to charge for holds that the ledger has, by their ids. */
  readonly #unsettled = new Map<string, number>();
  #catchingUp: Promise<void> | undefined;
  #isClosed = false;

  constructor(usage: UsageStore, health: StorageHealth) {
    this.#usage = usage;
    this.#health = health;
  }

  async place(hold: Hold, limits: HoldLimits): Promise<PlacedHold> {
    const holding = this.#usage.hold(hold, limits);
    const result = await this.#health.inTime(holding);
    if (result !== undefined) return { hold, result, isRecorded: Promise.resolve(true) };
    this.#entryOf(hold).reserved += hold.characters;
    const isRecorded = holding.then(
      (late) => {
        // One that passes a limit too late has been let in: it is charged all the same.
        if (late === 'held') this.#entryOf(hold).reserved -= hold.characters;
        return late === 'held';
      },
      () => false,
    );
    this.#catchUp();
    return { hold, result, isRecorded };
  }

  /** Notes how much has been handed out, if the ledger has the hold. */
  async deliver(placed: PlacedHold, characters: number): Promise<void> {
    await this.#whenRecorded(placed, async (isRecorded) => {
      if (!isRecorded) return;
      await this.#health.inTime(this.#usage.deliver(placed.hold.holdId, characters));
    });
  }

  /** Charges a hold, now or later. */
  async settle(placed: PlacedHold, characters: number): Promise<void> {
    await this.#whenRecorded(placed, async (isRecorded) => {
      if (isRecorded) await this.#health.inTime(this.#settleRecorded(placed.hold, characters));
      else this.#owe(placed.hold, characters);
    });
  }

  /** Characters that the ledger does not know of, but will. */
  unrecorded({ accountId, keyId, periodStartMs }: UsageSubject): number {
    return [...this.#unrecorded.values()]
      .filter(
        ({ hold }) =>
          hold.accountId === accountId &&
          hold.periodStartMs === periodStartMs &&
          (keyId === undefined || hold.keyId === keyId),
      )
      .reduce((sum, { reserved, owed }) => sum + reserved + owed, 0);
  }

  /** Whether the ledger knows of everything. */
  get isIdle(): boolean {
    return this.#unrecorded.size === 0 && this.#unsettled.size === 0;
  }

  /** Tries once more to write what is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#catchingUp;
    await settledWithin(
      this.#writeAll().catch((thrown) => this.#health.failed(thrown)),
      CLOSE_PATIENCE_MS,
    );
  }

  /** Nobody waits for a ledger that has not answered before. */
  async #whenRecorded(
    { result, isRecorded }: PlacedHold,
    work: (isRecorded: boolean) => Promise<void>,
  ): Promise<void> {
    const working = isRecorded.then(work);
    if (result !== undefined) await working;
  }

  async #settleRecorded({ holdId }: Hold, characters: number): Promise<void> {
    try {
      await this.#usage.settle(holdId, characters);
    } catch (thrown) {
      this.#unsettled.set(holdId, characters);
      this.#catchUp();
      throw thrown;
    }
  }

  #owe(hold: Hold, characters: number): void {
    const entry = this.#entryOf(hold);
    entry.reserved -= hold.characters;
    entry.owed += characters;
    this.#catchUp();
  }

  #entryOf(hold: Hold): Unrecorded {
    const { accountId, keyId, periodStartMs, hourStartMs, modelId, voiceId } = hold;
    const id = JSON.stringify([accountId, keyId, periodStartMs, hourStartMs, modelId, voiceId]);
    const entry = this.#unrecorded.get(id) ?? { hold, reserved: 0, owed: 0 };
    this.#unrecorded.set(id, entry);
    return entry;
  }

  #catchUp(): void {
    if (!this.#isClosed) this.#catchingUp ??= this.#writeUntilDone();
  }

  async #writeUntilDone(): Promise<void> {
    do {
      await sleep(RETRY_MS, undefined, { ref: false });
      try {
        await this.#writeAll();
        this.#health.worked();
      } catch (thrown) {
        this.#health.failed(thrown);
      }
    } while (!this.#isClosed && !this.isIdle);
    this.#catchingUp = undefined;
  }

  /** @throws what the ledger throws; what is written by then is not written again. */
  async #writeAll(): Promise<void> {
    for (const [id, entry] of this.#unrecorded) {
      await this.#charge(entry);
      if (entry.reserved === 0 && entry.owed === 0) this.#unrecorded.delete(id);
    }
    for (const [holdId, characters] of this.#unsettled) {
      await this.#usage.settle(holdId, characters);
      this.#unsettled.delete(holdId);
    }
  }

  /** As a hold that is settled at once. Nothing owed is written too: it tells whether writing works. */
  async #charge(entry: Unrecorded): Promise<void> {
    const characters = entry.owed;
    const holdId = randomUUID();
    entry.owed = 0;
    try {
      await this.#usage.hold({ ...entry.hold, holdId, characters }, NO_LIMITS);
    } catch (thrown) {
      entry.owed += characters;
      throw thrown;
    }
    this.#unsettled.set(holdId, characters);
  }
}
