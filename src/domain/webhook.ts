import type { ServiceEventType } from './service-event.ts';

/** In a data folder, the file without which sealed secrets cannot be read again. */
export const SERVER_SECRET_FILE = 'server-secret';

/** Where an account wants its events sent. */
export interface Webhook {
  readonly webhookId: string;
  readonly accountId: string;
  /** What its owner calls it. */
  readonly name: string;
  readonly url: string;
  /** The signing secret, readable only with the server's own secret. */
  readonly sealedSecret: string;
  /** The owner's extra request headers, which may well be credentials; sealed in the same way. */
  readonly sealedHeaders: string;
  readonly events: readonly ServiceEventType[];
  /** Its owner switched it off. */
  readonly isDisabled: boolean;
  /** It failed for too long, or answered that it is gone. */
  readonly isAutoDisabled: boolean;
  readonly retryEnabled: boolean;
  /** Milliseconds since 1970, as every time here. */
  readonly createdAtMs: number;
  /** When it was last switched on; its making counts. */
  readonly enabledAtMs: number;
  /** Attempts that failed since the last success. */
  readonly consecutiveFailures: number;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  /** The HTTP status of that failure; null when there was no answer at all. */
  readonly lastFailureStatus: number | null;
}

/** What an owner may change, and what follows from it. */
export type WebhookChange = Partial<
  Pick<
    Webhook,
    | 'name'
    | 'sealedHeaders'
    | 'events'
    | 'isDisabled'
    | 'isAutoDisabled'
    | 'retryEnabled'
    | 'enabledAtMs'
    | 'consecutiveFailures'
  >
>;

/** `failed` is final: no further attempt is made unless the owner asks for it. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** One event on its way to one webhook. */
export interface Delivery {
  readonly deliveryId: string;
  /** The same for every webhook that is told, and for every attempt: receivers tell repeats by it. */
  readonly eventId: string;
  readonly webhookId: string;
  readonly accountId: string;
  readonly type: ServiceEventType;
  /** The JSON that is signed and sent, byte for byte. */
  readonly body: string;
  readonly createdAtMs: number;
  readonly state: DeliveryState;
  /** Attempts made. */
  readonly attempts: number;
  /** When the next attempt may be made, while it is pending. */
  readonly dueAtMs: number;
  readonly lastAttemptAtMs: number | null;
  readonly lastStatus: number | null;
  /** Why the last attempt failed, for the owner to read. */
  readonly lastProblem: string | null;
}
