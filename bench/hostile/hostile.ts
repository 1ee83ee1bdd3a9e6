import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeCalls, openCalls } from '../calls/bench-call.ts';
import { withPhoneServer } from '../calls/phone-server.ts';
import { replies } from '../latency/replies.ts';
import { type Cell, printTable, round } from '../latency/report.ts';
import type { ServerProcess } from '../latency/server-process.ts';
import type { AttackReport, AttackTarget } from './attack.ts';
import { runAttack } from './attack-process.ts';
import { ATTACKS } from './attacks.ts';
import { ServerWatch } from './server-watch.ts';
import { type HeardCall, speakUntil } from './speaking-call.ts';

const SECONDS = 20;
const QUICK_SECONDS = 6;
/** How long memory may take to come back. */
const REST_MS = 4000;
const PROMISED_MEMORY_MB = 1200;
const PROMISED_GROWTH = 1.1;
const PROMISED_REFUSAL_MS = 50;
const PROSE =
  'It was a quiet morning, and nobody had come to the shop yet, so the owner sat down by the window ' +
  'with a cup of tea and read the paper until noon. ';
/** One for each thread of a machine of two cores. */
const LONG_TEXTS = [PROSE.repeat(13), PROSE.repeat(13)];
const ATTACKER = { account_id: 'attacker', name: 'Attacker', tier: 'business' };

interface Row {
  readonly attack: string;
  readonly call: HeardCall;
  readonly asked: AttackReport;
  readonly baseBytes: number;
  readonly peakBytes: number;
  /** Null when the server is dead. */
  readonly afterBytes: number | null;
  readonly loopDelayMs: number | null;
}

export interface HostileOptions {
  readonly isQuick: boolean;
  /** One attack alone. */
  readonly only: string | undefined;
}

/** A call speaks while each attack runs beside it, each against a server of its own. */
export async function hostile({ isQuick, only }: HostileOptions): Promise<unknown> {
  const seconds = isQuick ? QUICK_SECONDS : SECONDS;
  const rows: Row[] = [];
  for (const attack of Object.keys(ATTACKS).filter((name) => name === (only ?? name))) {
    rows.push(await withPhoneServer((server) => measure(server, attack, seconds), {}));
  }
  report(rows);
  return rows;
}

async function measure(server: ServerProcess, attack: string, seconds: number): Promise<Row> {
  const target = await targetOf(server, seconds);
  const calls = await openCalls(server, 1);
  const [call] = calls;
  if (!call) throw new Error('No call was placed.');
  const text = replies(17);
  // Memory that ordinary work takes is kept: that of a call's replies, and of the longest texts there are.
  await speakUntil(call, text, once());
  await Promise.all(LONG_TEXTS.map((words) => server.speak(target.voiceId, words)));
  const baseBytes = server.residentBytes() ?? 0;
  const watch = await ServerWatch.begin(server);
  let isOver = false;
  const attacking = runAttack(attack, target).finally(() => {
    isOver = true;
  });
  const heard = await speakUntil(call, text, () => isOver);
  const asked = await attacking;
  const { peakBytes, loopDelayMs } = await watch.end();
  await sleep(REST_MS);
  const afterBytes = server.residentBytes();
  // A call that was lost has said so in its row.
  await closeCalls(calls).catch(() => undefined);
  return { attack, call: heard, asked, baseBytes, peakBytes, afterBytes, loopDelayMs };
}

async function targetOf(server: ServerProcess, seconds: number): Promise<AttackTarget> {
  await server.post('/v1/workspace/accounts', {
    ...ATTACKER,
    ...{ character_limit: null, concurrency_limit: null },
  });
  const key = (await server.post(`/v1/workspace/api-keys?account_id=${ATTACKER.account_id}`, {
    name: 'attacker',
  })) as { api_key: string };
  const { engine } = await server.health();
  return {
    ...{ port: server.port, apiKey: key.api_key, seconds },
    voiceId: await server.firstVoiceId(),
    ratedStreams: engine.ratedStreams,
    databaseFile: join(server.dataDir, 'sidetone.db'),
  };
}

/** @returns what is false the first two times. */
function once(): () => boolean {
  let asked = 0;
  return () => ++asked > 2;
}

function report(rows: readonly Row[]): void {
  printTable(
    'A call that speaks, and what somebody else does meanwhile',
    rows.map(
      ({ attack, call, asked, loopDelayMs, ...memory }): Record<string, Cell> => ({
        attack,
        'least lead ms': call.isLost ? 'lost' : round(call.leastLeadMs, 0),
        underruns: call.underruns,
        'slowest word ms': round(call.slowestWordMs, 0),
        'loop delay ms': round(loopDelayMs, 0),
        'base MB': megabytes(memory.baseBytes),
        'peak MB': megabytes(memory.peakBytes),
        'after MB': memory.afterBytes === null ? 'dead' : megabytes(memory.afterBytes),
        requests: asked.requests,
        refused: asked.refusals,
        'refusal p99 ms': round(asked.refusalP99Ms, 0),
        'slowest refusal ms': round(asked.slowestRefusalMs, 0),
        'attacker delay ms': round(asked.loopDelayMs, 0),
        holds: complaintsAbout({ attack, call, asked, loopDelayMs, ...memory }).join(', ') || 'yes',
      }),
    ),
  );
}

/** What of the promises a row breaks. */
function complaintsAbout({ call, asked, baseBytes, peakBytes, afterBytes }: Row): string[] {
  const broken: Readonly<Record<string, boolean>> = {
    'call lost': call.isLost,
    lead: (call.leastLeadMs ?? 0) < 0,
    underruns: call.underruns > 0,
    memory: peakBytes > 1e6 * PROMISED_MEMORY_MB,
    'memory kept': afterBytes === null || afterBytes > PROMISED_GROWTH * baseBytes,
    'slow refusal': (asked.refusalP99Ms ?? 0) > PROMISED_REFUSAL_MS,
  };
  return Object.keys(broken).filter((complaint) => broken[complaint]);
}

function megabytes(bytes: number): number | null {
  return round(bytes / 1e6, 0);
}
