import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { openHttp } from '../../src/api/http/open-http.ts';
import { guardRoutes } from '../../src/api/identity/guard-routes.ts';
import { historyRoutes } from '../../src/api/resources/history.ts';
import type { Caller } from '../../src/domain/account.ts';
import type { HistoryItem } from '../../src/domain/history-item.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../src/domain/voice.ts';
import { History } from '../../src/service/account/history.ts';
import { newHistoryItemId } from '../../src/service/account/history-item-id.ts';
import { openStorage } from '../../src/service/storage/open-storage.ts';
import type { Storage } from '../../src/service/storage/storage.ts';
import { findPostgres, PostgresServer } from '../../test/support/postgres.ts';
import { millisecondCells, printTable, verdict } from '../latency/report.ts';
import { summarise } from '../latency/statistics.ts';

const ITEMS = 10_000;
const RUNS = 30;
const WALKS = 10;
/** Promised: what a page of a history of 10 000 items takes. */
const PROMISED_MS = 50;
const TEXT =
  'Thank you for calling. Your appointment is on Tuesday the third at half past four. '.repeat(3);
const CALLER: Caller = {
  accountId: 'default',
  tier: 'business',
  concurrencyLimit: null,
  keyId: 'bench',
  keyHash: '',
  scopes: 'all',
};

const QUERIES: Readonly<Record<string, string>> = {
  'newest 100': 'page_size=100',
  'newest 1 000': 'page_size=1000',
  'oldest 1 000': 'page_size=1000&sort_direction=asc',
  'search, found': 'page_size=100&search=appointment%20is%20on%20tuesday&source=TTS',
  'search, not found': 'page_size=100&search=nothing%20like%20it',
  'rare voice': 'page_size=100&voice_id=rare',
};

/** As many as one request may have. */
const LARGEST_PAGE = 1_000;

/** What listing a history of 10 000 items takes, from request to reply, on both databases. */
export async function history(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'sidetone-bench-'));
  const programs = findPostgres();
  const server = programs && (await PostgresServer.start(programs));
  try {
    const results: Record<string, unknown> = {
      sqlite: await measure('SQLite', await openStorage({ dataDir: folder })),
    };
    if (server) {
      const databaseUrl = await server.newDatabase();
      const storage = await openStorage({ dataDir: folder, databaseUrl });
      results['postgres'] = await measure('PostgreSQL', storage, () => analyse(databaseUrl));
    }
    return results;
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true });
  }
}

/** What autovacuum does within a minute: without statistics, PostgreSQL sorts what is sorted. */
async function analyse(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

async function measure(
  technology: string,
  storage: Storage,
  settle: () => Promise<void> = async () => undefined,
): Promise<unknown> {
  await using opened = storage;
  await fill(opened);
  await settle();
  const app = openHttp(pino({ level: 'silent' }));
  guardRoutes(app, { authenticate: async () => CALLER, redeem: async () => CALLER });
  historyRoutes(app, new History(opened, Date.now), () => undefined);
  const results: Record<string, ReturnType<typeof summarise>> = {};
  for (const [name, query] of Object.entries(QUERIES)) {
    const timesMs: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      const startMs = performance.now();
      const reply = await app.inject({ url: `/v1/history?${query}` });
      if (reply.statusCode !== 200) throw new Error(reply.body);
      // The first one fills caches.
      if (run > 0) timesMs.push(performance.now() - startMs);
    }
    results[name] = summarise(timesMs);
  }
  const walkMs: number[] = [];
  for (let run = 0; run <= WALKS; run++) {
    const startMs = performance.now();
    await walk(app);
    if (run > 0) walkMs.push(performance.now() - startMs);
  }
  const walks = summarise(walkMs);
  await app.close();
  printTable(
    `GET /v1/history with ${ITEMS} items on ${technology}, ms`,
    [...Object.entries(results), [`all ${ITEMS}, page after page`, walks] as const].map(
      ([query, times]) => ({ query, ...millisecondCells(times) }),
    ),
  );
  const worst = Math.max(...Object.values(results).map(({ p95 }) => p95 ?? Number.NaN));
  console.log(`\n  Worst p95 of a page: ${verdict(worst, PROMISED_MS)}`);
  return { ...results, walks };
}

/** Every item, as a client that exports its history asks for them: the largest pages, one after the other. */
async function walk(app: FastifyInstance): Promise<void> {
  let items = 0;
  let after = '';
  do {
    const reply = await app.inject({ url: `/v1/history?page_size=${LARGEST_PAGE}${after}` });
    const page = reply.json();
    items += page.history.length;
    after = page.has_more ? `&start_after_history_item_id=${page.last_history_item_id}` : '';
  } while (after !== '');
  if (items !== ITEMS) throw new Error(`${items} items were listed.`);
}

async function fill({ history: store }: Storage): Promise<void> {
  for (let index = 0; index < ITEMS; index++) {
    const item = itemOf(index);
    await store.add(item, item.createdAtMs);
    await store.show(item.historyItemId);
  }
}

function itemOf(index: number): HistoryItem {
  const createdAtMs = 1_763_700_000_000 + index * 1000;
  return {
    historyItemId: newHistoryItemId(createdAtMs),
    accountId: CALLER.accountId,
    requestId: `request-${index}`,
    voiceId: index % 1000 === 0 ? 'rare' : 'v'.repeat(20),
    voiceName: 'Ada',
    voiceCategory: 'premade',
    modelId: 'svc_turbo_v1',
    text: `${index}. ${TEXT}`,
    createdAtMs,
    charactersBefore: index * TEXT.length,
    charactersAfter: (index + 1) * TEXT.length,
    contentType: 'audio/mpeg',
    outputFormat: 'mp3_44100_128',
    settings: DEFAULT_VOICE_SETTINGS,
    source: 'TTS',
    alignments: { alignment: { characters: [...TEXT] }, normalized_alignment: null },
    audioBytes: 100_000,
  };
}
