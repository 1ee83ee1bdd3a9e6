// Run as a process of its own: delivers the webhooks of a data folder, and tells events if asked to.
// Prints the number of each event once it has been taken down.
import { argv, stdout } from 'node:process';

const [dataDir = '', firstEvent = '0', lastEvent = '0'] = argv.slice(2);
/** @param {string} path */
const compiled = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { openStorage } = await compiled('service/storage/open-storage.js');
const { openSecretBox } = await compiled('service/webhooks/secret-box.js');
const { DestinationGuard } = await compiled('service/webhooks/destination-guard.js');
const { resolveHost } = await compiled('service/webhooks/guarded-post.js');
const { eventPublisher } = await compiled('service/webhooks/event-publisher.js');
const { WebhookDispatcher } = await compiled('service/webhooks/webhook-dispatcher.js');

const { webhooks, outbox } = await openStorage({ dataDir });
const dispatcher = new WebhookDispatcher({
  webhooks,
  outbox,
  secretBox: await openSecretBox(dataDir),
  guard: new DestinationGuard({ allow: ['localhost', '127.0.0.1'], allowHttp: true }),
  resolve: resolveHost,
  timeoutMs: 15_000,
  logger: { warn: console.warn },
  now: Date.now,
  random: Math.random,
  pollMs: 20,
});
dispatcher.start();
// A timer of the dispatcher's alone does not keep a process alive.
setInterval(() => undefined, 1_000);

const onTold = () => dispatcher.wake();
const tell = eventPublisher({ webhooks, outbox, now: Date.now, onTold });
for (let number = Number(firstEvent); number < Number(lastEvent); number++) {
  const data = { voice_id: String(number), name: 'v' };
  await tell({ type: 'voice.ready', accountId: 'default', data });
  stdout.write(`told ${number}\n`);
}
stdout.write('ready\n');
