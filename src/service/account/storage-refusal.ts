import { type ErrorCode, SpeechError } from '../../domain/errors.ts';
import { type StorageFault, storageFaultOf } from '../storage/storage-fault.ts';

const RETRY_AFTER_S = 5;

/** What a caller is told about each fault that will pass. */
const REFUSALS: Partial<Record<StorageFault, readonly [code: ErrorCode, message: string]>> = {
  disk_full: [
    'insufficient_storage',
    'The server has no room to store this. Try again later; its operator finds the reason in the log and in /health.',
  ],
  database_locked: storageUnavailable('its database is locked by another process'),
  database_unreachable: storageUnavailable('it cannot reach its database'),
  not_answering: storageUnavailable('its database does not answer'),
};

function storageUnavailable(reason: string): readonly [code: ErrorCode, message: string] {
  return ['storage_unavailable', `The server cannot do this now: ${reason}. Try again later.`];
}

/**
 * What somebody is told whose request failed because storage did.
 *
 * @param thrown by anything.
 * @returns undefined when it is no fault of storage that will pass.
 */
export function storageRefusal(thrown: unknown): SpeechError | undefined {
  const refusal = REFUSALS[storageFaultOf(thrown)];
  if (!refusal) return undefined;
  const [code, message] = refusal;
  return new SpeechError(code, message, { cause: thrown, retryAfterS: RETRY_AFTER_S });
}
