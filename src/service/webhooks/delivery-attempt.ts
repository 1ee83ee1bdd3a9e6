import type { Delivery, Webhook } from '../../domain/webhook.ts';
import { DestinationError, type DestinationGuard } from './destination-guard.ts';
import { guardedPost, type ResolveHost } from './guarded-post.ts';
import type { SecretBox } from './secret-box.ts';
import { signatureHeaders } from './signatures.ts';

const USER_AGENT = 'Sidetone-Webhooks';
const GONE = 410;

export interface AttemptTools {
  readonly secretBox: SecretBox;
  readonly guard: DestinationGuard;
  readonly resolve: ResolveHost;
  /** How long the whole of an attempt may take. */
  readonly timeoutMs: number;
}

/** How an attempt went. `problem` is for the owner to read, and null after a success. */
export interface AttemptResult {
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly problem: string | null;
  /** The receiver asked never to be called again. */
  readonly gone: boolean;
  readonly retryAfter: string | undefined;
}

/**
 * Makes one attempt at a delivery, signed at this moment.
 *
 * @param nowMs since 1970.
 * @throws the signal's reason, when it ends the attempt; whatever else fails is a result.
 */
export async function attemptDelivery(
  tools: AttemptTools,
  { webhook, delivery }: { readonly webhook: Webhook; readonly delivery: Delivery },
  nowMs: number,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const ending = new AbortController();
  const abort = () => ending.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(
    () => ending.abort(new AttemptTimeout(tools.timeoutMs)),
    tools.timeoutMs,
  );
  try {
    signal.throwIfAborted();
    const { status, retryAfter } = await guardedPost({
      url: tools.guard.checkUrl(webhook.url),
      headers: requestHeaders(tools.secretBox, webhook, delivery, nowMs),
      body: delivery.body,
      guard: tools.guard,
      resolve: tools.resolve,
      signal: ending.signal,
    });
    return { status, problem: statusProblem(status), gone: status === GONE, retryAfter };
  } catch (thrown) {
    signal.throwIfAborted();
    return { status: null, problem: problemOf(thrown), gone: false, retryAfter: undefined };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function requestHeaders(
  secretBox: SecretBox,
  { webhookId, sealedSecret, sealedHeaders }: Webhook,
  { eventId, body }: Delivery,
  nowMs: number,
): Record<string, string> {
  const { secret, custom } = unsealed(() => ({
    secret: secretBox.open(sealedSecret, webhookId),
    custom: JSON.parse(secretBox.open(sealedHeaders, webhookId)) as Record<string, string>,
  }));
  return {
    'user-agent': USER_AGENT,
    ...custom,
    'content-type': 'application/json',
    ...signatureHeaders({ secret, eventId, body, timestampS: Math.floor(nowMs / 1000) }),
  };
}

function unsealed<T>(open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    throw new UnreadableSecret({ cause: thrown });
  }
}

function statusProblem(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === GONE) return 'The receiver answered 410: it is gone for good.';
  const redirects = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return `The receiver answered ${status}.${redirects}`;
}

/** In words of ours: what the system says may name addresses inside the operator's network. */
function problemOf(thrown: unknown): string {
  if (thrown instanceof DestinationError) return thrown.message;
  if (thrown instanceof AttemptTimeout || thrown instanceof UnreadableSecret) return thrown.message;
  const code = thrown instanceof Error && 'code' in thrown ? ` (${thrown.code})` : '';
  return `The receiver could not be reached${code}.`;
}

class AttemptTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`The receiver did not answer within ${timeoutMs / 1000} seconds.`);
    this.name = 'AttemptTimeout';
  }
}

class UnreadableSecret extends Error {
  constructor(options: { cause: unknown }) {
    super(
      "The signing secret cannot be read: this server's secret file is not the one it was sealed with. Restore that file, or make the webhook anew.",
      options,
    );
    this.name = 'UnreadableSecret';
  }
}
