// Run as a process of its own: adds keys to a data folder while other processes do the same.
import { argv } from 'node:process';

const [dataDir, prefix, count] = argv.slice(2);
const entry = new URL('../../dist/service/storage/open-storage.js', import.meta.url);
const { openStorage } = await import(entry.href);

const storage = await openStorage({ dataDir });
for (let index = 0; index < Number(count); index++) {
  const id = `${prefix}-${index}`;
  const key = {
    keyId: id,
    accountId: 'default',
    name: id,
    secretHash: id,
    lastFour: id.slice(-4),
    createdAtMs: index,
    scopes: 'all',
    characterLimit: null,
    allowedAddresses: null,
  };
  await storage.keys.add(key, Number(count) * 100);
}
await storage.close();
