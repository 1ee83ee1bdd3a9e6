/** From the smallest to the largest. What each allows is the table in `service/account/tiers.ts`. */
export const TIERS = ['free', 'starter', 'creator', 'pro', 'scale', 'business'] as const;
export type Tier = (typeof TIERS)[number];

/** Who pays: owner of keys, quota, voices, history and webhooks. */
export interface Account {
  readonly accountId: string;
}

/** The operator's account. Its keys, and no others, may administer other accounts. */
export const DEFAULT_ACCOUNT: Account = { accountId: 'default' };

/** An account as it is kept. */
export interface AccountRecord extends Account {
  readonly name: string;
  readonly tier: Tier;
  /** Characters a month; null when nothing limits them. */
  readonly characterLimit: number | null;
  /** Requests at once, for models of the standard group; null when only the server's size limits them. */
  readonly concurrencyLimit: number | null;
  /** Milliseconds since 1970. Its months are counted from here. */
  readonly createdAtMs: number;
}

/** What a request or a message says about who sends it; nothing of it has been checked. */
export interface Credentials {
  readonly key: string | undefined;
  /** A single-use token. It counts more than a key. */
  readonly token: string | undefined;
}

/** Groups of endpoints that a key may be restricted to, by the names that public clients know. */
export const SCOPES = [
  'text_to_speech',
  'speech_to_speech',
  'voices_read',
  'voices_write',
  'models_read',
  'user_read',
  'speech_history_read',
  'speech_history_write',
  'pronunciation_dictionaries_read',
  'pronunciation_dictionaries_write',
  'workspace_read',
  'workspace_write',
  // Listing the calls that wait and taking them, with what their callers say and type.
  'calls_attach',
  // Passing callers on to another number, at the expense of the owner of the phone line.
  'calls_transfer',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What the holder of a key may do; `all` includes endpoints that are still to come. */
export type GrantedScopes = 'all' | readonly Scope[];

export function hasScope(granted: GrantedScopes, scope: Scope): boolean {
  return granted === 'all' || granted.includes(scope);
}

/**
 * What single-use tokens may open, and what the one who shows it may do then: no more than its name
 * says, whatever the key may do that it was made with. The first two are known to public clients and
 * open nothing here; `call_stream` opens a carrier's media stream.
 */
export const TOKEN_SCOPES = {
  realtime_scribe: [],
  batch_scribe: [],
  tts_websocket: ['text_to_speech'],
  call_stream: ['text_to_speech'],
  calls_attach: ['calls_attach'],
  calls_transfer: ['calls_attach', 'calls_transfer'],
} as const satisfies Record<string, readonly Scope[]>;
export type TokenPurpose = keyof typeof TOKEN_SCOPES;
export const TOKEN_PURPOSES = Object.keys(TOKEN_SCOPES) as readonly TokenPurpose[];

/** What is kept of an API key: enough to recognise it, never the secret itself. */
export interface ApiKey {
  readonly keyId: string;
  readonly accountId: string;
  /** What its owner calls it. */
  readonly name: string;
  /** SHA-256 of the secret, 64 lower-case hexadecimal digits. */
  readonly secretHash: string;
  /** The end of the secret, so that its owner can tell it from others. */
  readonly lastFour: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly scopes: GrantedScopes;
  /** Characters a month that this key may spend of its account's; null when it has no limit of its own. */
  readonly characterLimit: number | null;
  /** IP addresses and CIDR ranges that it may be used from; null when from anywhere. */
  readonly allowedAddresses: readonly string[] | null;
}

/** What the owner of a key may choose, at its making or later. */
export type KeySettings = Pick<ApiKey, 'name' | 'scopes' | 'characterLimit' | 'allowedAddresses'>;

/** What the holder of a key must stay within; null is no limit. */
export interface SpendingBounds {
  readonly account: AccountRecord;
  readonly keyLimit: number | null;
}

/** Who makes a request, and what they may do. */
export interface Caller extends Account {
  readonly tier: Tier;
  readonly concurrencyLimit: number | null;
  readonly keyId: string;
  /** Hash of the secret that opened the door, by which a later look sees whether it still would. */
  readonly keyHash: string;
  readonly scopes: GrantedScopes;
  /** What it may spend, where that was looked up together with the key. */
  readonly bounds?: SpendingBounds;
}
