import { onTestFinished } from 'vitest';
import { Authenticator } from '../../../src/account/authenticator.ts';
import { KeyRing } from '../../../src/account/key-ring.ts';
import { openHttp } from '../../../src/api/open-http.ts';
import { webhooksRoutes } from '../../../src/api/webhooks.ts';
import { openWebhooks } from '../webhooks/dispatch-harness.ts';
import { CONFIGURED_SECRET, memoryLogger } from './api-harness.ts';

/** The webhook routes on the real server with everything that delivers. */
export async function openWebhooksApi() {
  const webhooks = await openWebhooks();
  const keyRing = new KeyRing({
    store: webhooks.storage.keys,
    configuredSecret: CONFIGURED_SECRET,
    now: Date.now,
  });
  const logged: string[] = [];
  const app = openHttp(memoryLogger(logged));
  webhooksRoutes(app, new Authenticator(keyRing), webhooks.book);
  onTestFinished(() => app.close());
  return { ...webhooks, app, logged };
}
