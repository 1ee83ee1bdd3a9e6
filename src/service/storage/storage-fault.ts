/** Why storage fails, as far as its error tells. */
export type StorageFault =
  | 'disk_full'
  | 'database_locked'
  | 'database_unreachable'
  | 'not_answering'
  | 'storage_failed';

/** Storage has not answered for longer than its callers can wait. */
export class StorageNotAnswering extends Error {
  readonly code = 'STORAGE_NOT_ANSWERING';

  constructor(waitedMs: number) {
    super(`Storage has not answered for ${waitedMs} ms.`);
    this.name = 'StorageNotAnswering';
  }
}

/** Of SQLite, of the file system, and of PostgreSQL (its manual, appendix A). */
const FAULTS: ReadonlyMap<string, StorageFault> = new Map([
  ['SQLITE_FULL', 'disk_full'],
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['53100', 'disk_full'],
  ['SQLITE_BUSY', 'database_locked'],
  ['55P03', 'database_locked'],
  ['ECONNREFUSED', 'database_unreachable'],
  ['ECONNRESET', 'database_unreachable'],
  ['ETIMEDOUT', 'database_unreachable'],
  ['ENOTFOUND', 'database_unreachable'],
  ['57P01', 'database_unreachable'],
  ['57P03', 'database_unreachable'],
  ['STORAGE_NOT_ANSWERING', 'not_answering'],
]);

/** @param thrown by any store. */
export function storageFaultOf(thrown: unknown): StorageFault {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return FAULTS.get(code) ?? 'storage_failed';
}
