/** The database of a data folder. */
export const DATABASE_FILE = 'sidetone.db';
/** How long a write waits for one of another process; ours take under a millisecond. */
export const BUSY_TIMEOUT_MS = 5_000;
/** Keys are kept hashed, but who may read them is still nobody else's business. */
export const OWNER_ONLY_DIR = 0o700;
export const OWNER_ONLY_FILE = 0o600;
