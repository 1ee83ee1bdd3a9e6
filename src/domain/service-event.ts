/**
 * What the service tells its accounts about, by type. Fields carry the names that receivers of
 * webhooks read, since `data` is sent to them exactly as it is. No event ever carries text that was
 * spoken, or a secret.
 */
export interface ServiceEventData {
  /** A generation over REST is finished, and its audio complete. */
  readonly 'speech.generated': {
    readonly request_id: string;
    /** Where its audio is kept; null when the request asked for nothing to be kept. */
    readonly history_item_id: string | null;
    readonly voice_id: string;
    readonly model_id: string;
    readonly output_format: string;
    /** Characters that were charged. */
    readonly character_count: number;
    readonly audio_duration_ms: number;
  };
  /** A request was refused, or the last one paid for, because no characters are left. */
  readonly 'quota.reached': {
    /** The key whose own limit is spent; null when it is the account's. */
    readonly api_key_id: string | null;
    readonly character_count: number;
    readonly character_limit: number;
    /** When the count starts afresh, in seconds since 1970; null when it never does. */
    readonly next_reset_unix: number | null;
  };
  /** A key has a new secret, and the one before opens nothing any more. */
  readonly 'key.rotated': {
    readonly api_key_id: string;
    readonly name: string;
    /** The end of the new secret. */
    readonly last_four: string;
  };
  /** A voice that was being prepared can speak. */
  readonly 'voice.ready': {
    readonly voice_id: string;
    readonly name: string;
  };
  /** A phone call over a carrier's stream is over. */
  readonly 'call.ended': {
    readonly call_id: string;
    /** The dialect that the carrier spoke, such as `twilio`. */
    readonly carrier: string;
    readonly started_at_unix: number;
    readonly duration_ms: number;
    readonly character_count: number;
    /** Who ended it. */
    readonly end_reason: 'hangup' | 'completed' | 'error';
  };
}

export type ServiceEventType = keyof ServiceEventData;

/** Something that happened to an account and that its webhooks may be told. */
export type ServiceEvent = {
  readonly [Type in ServiceEventType]: {
    readonly type: Type;
    readonly accountId: string;
    readonly data: ServiceEventData[Type];
  };
}[ServiceEventType];

/**
 * Takes an event down. Once the promise is kept the event outlives the process; it is delivered
 * later, by any worker.
 */
export type PublishEvent = (event: ServiceEvent) => Promise<void>;

export const SERVICE_EVENT_TYPES = [
  'speech.generated',
  'quota.reached',
  'key.rotated',
  'voice.ready',
  'call.ended',
] as const satisfies readonly ServiceEventType[];
