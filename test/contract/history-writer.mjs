// Run as a process of its own, to be killed: keeps generations without end, or one until a step that
// it does not survive, and prints the id of each once it is said to be stored.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { dieBeforeStep } from './die-at-step.mjs';

const [dataDir, step] = argv.slice(2);
/** @param {string} path */
const load = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { openStorage } = await load('service/storage/open-storage.js');
const { HistoryRecorder } = await load('service/account/history-recorder.js');

const storage = await openStorage({ dataDir });
const recorder = new HistoryRecorder({
  storage,
  freeSpace: { assertRoomFor: async () => undefined },
  charactersUsed: async () => 10,
  now: Date.now,
  kept: () => undefined,
  lost: () => process.exit(1),
});

/** @param {number} index */
async function keepOne(index) {
  const recording = await recorder.begin({
    accountId: 'default',
    requestId: `request-${index}`,
    voice: { voiceId: 'voice', name: 'Ada' },
    model: { modelId: 'model' },
    text: `Number ${index}.`,
    settings: {},
    format: { name: 'pcm_8000', contentType: 'audio/pcm' },
  });
  for (let part = 0; part < 5; part++) {
    await recording.write(Buffer.alloc(20_000, index));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await recording.finish({ characters: 10 });
  writeSync(1, `${recording.historyItemId}\n`);
}

if (step !== undefined) {
  const stopCounting = dieBeforeStep(Number(step));
  await keepOne(Number(step));
  stopCounting();
  await recorder.close();
  await storage.close();
  process.exit();
}
for (let index = 0; ; index += 4) {
  await Promise.all([0, 1, 2, 3].map((more) => keepOne((index + more) % 256)));
}
