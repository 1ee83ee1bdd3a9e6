import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveModel } from '../../src/domain/model.ts';
import { ApiKeyRegistry } from '../../src/service/account/api-key-registry.ts';
import { Authenticator } from '../../src/service/account/authenticator.ts';
import { ConcurrencyLimiter } from '../../src/service/account/concurrency-limiter.ts';
import { Quota } from '../../src/service/account/quota.ts';
import { StorageHealth } from '../../src/service/account/storage-health.ts';
import { openStorage } from '../../src/service/storage/open-storage.ts';
import { millisecondCells, printTable, verdict } from '../latency/report.ts';
import { type Summary, summarise } from '../latency/statistics.ts';
import { busyEngine } from './busy-engine.ts';

/** Promised: what a request loses to being let in. */
const PROMISED_P99_MS = 1;
/** A sample of other benches is an utterance; here it takes a third of a millisecond. */
const REQUESTS_A_SAMPLE = 50;
/**
 * Requests come one by one. Without a pause this thread would never sleep, and the system would take
 * a core from it whenever its share is used up, which is a measure of the system's.
 */
const PAUSE_MS = 1;
/** Until code is compiled and statements are prepared. */
const WARM_UP_REQUESTS = 500;
const CHARACTERS = 100;
const MAX_STREAMS = 64;

/** How long each step of a request took, in milliseconds. */
interface Steps {
  readonly authenticate: number[];
  readonly admit: number[];
  readonly both: number[];
  readonly settle: number[];
}

/** What a request waits for its key and its place, while nothing else happens and while all cores speak. */
export async function admission(samples: number): Promise<unknown> {
  const requests = samples * REQUESTS_A_SAMPLE;
  const dataDir = mkdtempSync(join(tmpdir(), 'sidetone-bench-'));
  try {
    const alone = await measure(dataDir, requests);
    await using _engine = await busyEngine();
    const besides = await measure(dataDir, requests);
    report({ alone, 'all cores speak': besides });
    return { alone, besides };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

function report(results: Readonly<Record<string, Readonly<Record<keyof Steps, Summary>>>>): void {
  const names = {
    authenticate: 'authenticate',
    admit: 'reserve place and characters',
    both: 'both',
    settle: 'settle, when all is spoken',
  };
  printTable(
    'Authentication and admission on SQLite, ms',
    Object.entries(results).flatMap(([meanwhile, steps]) =>
      (Object.keys(names) as (keyof Steps)[]).map((step) => ({
        meanwhile,
        step: names[step],
        ...millisecondCells(steps[step], 2),
      })),
    ),
  );
  for (const [meanwhile, { both }] of Object.entries(results)) {
    console.log(`\n  p99 of both, ${meanwhile}: ${verdict(both.p99, PROMISED_P99_MS)}`);
  }
}

async function measure(dataDir: string, requests: number): Promise<Record<keyof Steps, Summary>> {
  const request = await openRequests(dataDir);
  const steps: Steps = { authenticate: [], admit: [], both: [], settle: [] };
  try {
    for (let index = -WARM_UP_REQUESTS; index < requests; index++) {
      await sleep(PAUSE_MS);
      const marks = await request.once();
      if (index < 0) continue;
      const [startMs, authenticatedMs, admittedMs, settledMs] = marks;
      steps.authenticate.push(authenticatedMs - startMs);
      steps.admit.push(admittedMs - authenticatedMs);
      steps.both.push(admittedMs - startMs);
      steps.settle.push(settledMs - admittedMs);
    }
  } finally {
    await request.close();
  }
  return {
    authenticate: summarise(steps.authenticate),
    admit: summarise(steps.admit),
    both: summarise(steps.both),
    settle: summarise(steps.settle),
  };
}

/** The parts that let requests in, as a server has them. */
async function openRequests(dataDir: string) {
  const storage = await openStorage({ dataDir });
  const keys = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: undefined,
    now: Date.now,
  });
  const { secret } = await keys.create('default', 'bench');
  const authenticator = new Authenticator(keys);
  const concurrency = new ConcurrencyLimiter(() => MAX_STREAMS);
  const quota = new Quota({
    usage: storage.usage,
    tell: async () => undefined,
    now: Date.now,
    health: new StorageHealth({
      part: 'database',
      log: console,
      now: () => performance.now(),
    }),
  });
  const origin = {
    peerAddress: '127.0.0.1',
    forwardedFor: undefined,
    scope: 'text_to_speech',
  } as const;
  const model = resolveModel(undefined);
  return {
    /** @returns when it began, and when each step had been taken. */
    once: async () => {
      const startMs = performance.now();
      const caller = await authenticator.authenticate(secret, origin);
      const authenticatedMs = performance.now();
      const slot = concurrency.acquire(caller, model);
      const reservation = await quota.reserve(caller, CHARACTERS, {
        modelId: model.modelId,
        voiceId: 'ada',
      });
      const admittedMs = performance.now();
      await reservation.settle(CHARACTERS);
      slot.release();
      return [startMs, authenticatedMs, admittedMs, performance.now()] as const;
    },
    close: async () => {
      await quota.close();
      await storage.close();
    },
  };
}
