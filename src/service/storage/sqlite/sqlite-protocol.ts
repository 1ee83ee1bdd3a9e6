import { StorageError } from '../storage.ts';

/** The stores whose methods run in the thread. */
export type StoreName =
  | 'keys'
  | 'accounts'
  | 'usage'
  | 'tokens'
  | 'history'
  | 'webhooks'
  | 'outbox'
  | 'voices'
  | 'dictionaries';

/** What the thread is given when it starts. */
export interface SqliteThreadData {
  /** Of the database file; exists. */
  readonly path: string;
}

export type ToSqliteThread =
  | {
      readonly type: 'call';
      readonly id: number;
      readonly store: StoreName;
      readonly method: string;
      readonly values: readonly unknown[];
    }
  | { readonly type: 'close' };

export type FromSqliteThread =
  /** The methods of each store. */
  | { readonly type: 'ready'; readonly methods: Readonly<Record<StoreName, readonly string[]>> }
  /** The database cannot be used; the thread ends. */
  | { readonly type: 'unusable'; readonly error: ThreadError }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: ThreadError }
  | { readonly type: 'closed' };

/** What a thread can tell of an error: structured cloning drops its class and its fields. */
export interface ThreadError {
  readonly isStorageError: boolean;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
}

export function toThreadError(thrown: unknown): ThreadError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    isStorageError: error instanceof StorageError,
    message: error.message,
    code: 'code' in error ? String(error.code) : undefined,
    stack: error.stack,
  };
}

/** @returns a StorageError, or an Error with the code that the database gave it. */
export function fromThreadError({ isStorageError, message, code, stack }: ThreadError): Error {
  const error = isStorageError ? new StorageError(message) : new Error(message);
  return Object.assign(error, { stack, ...(code !== undefined && { code }) });
}
