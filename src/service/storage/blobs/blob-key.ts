import { StorageError } from '../storage.ts';

/** A key in its two parts. */
export interface BlobKey {
  readonly space: string;
  readonly name: string;
}

/** Neither dots nor further slashes: no key leads out of a store. */
const KEY = /^(?<space>[a-z0-9-]{1,40})\/(?<name>[A-Za-z0-9_-]{1,100})$/;

/** @throws StorageError when the key is malformed. */
export function parseBlobKey(key: string): BlobKey {
  const { space, name } = KEY.exec(key)?.groups ?? {};
  if (space !== undefined && name !== undefined) return { space, name };
  throw new StorageError(`"${key}" is no key of a blob, such as "history/0mk3".`);
}
