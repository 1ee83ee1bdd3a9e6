import { Agent, request } from 'node:http';
import type { Job } from '../latency/bench.ts';
import { millisecondCells, printTable, round } from '../latency/report.ts';
import { summarise } from '../latency/statistics.ts';

/** Promised: `GET /v1/voices` a second, on one core. */
const PROMISED_PER_SECOND = 1_000;
const CONNECTIONS = 8;
const REQUESTS_A_SAMPLE = 50;
const WARM_UP_REQUESTS = 500;

/** How many lists of voices a second a server hands out, over connections that stay open. */
export const listing: Job = async ({ server, samples }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const url = `http://127.0.0.1:${server.port}/v1/voices`;
  const get = () => getAll(url, agent, server.apiKey);
  try {
    await many(WARM_UP_REQUESTS, get);
    const startCpuS = server.cpuSeconds();
    const startMs = performance.now();
    const waitsMs = await many(samples * REQUESTS_A_SAMPLE, get);
    const seconds = (performance.now() - startMs) / 1000;
    const cpuSeconds = server.cpuSeconds();
    const perSecond = waitsMs.length / seconds;
    const perCpuSecond =
      cpuSeconds === null || startCpuS === null ? null : waitsMs.length / (cpuSeconds - startCpuS);
    const waits = summarise(waitsMs);
    printTable(`GET /v1/voices over ${CONNECTIONS} connections`, [
      {
        'requests a second': round(perSecond, 0),
        'a second of processor time': round(perCpuSecond, 0),
        ...millisecondCells(waits),
        'against the target': atLeast(perCpuSecond ?? perSecond, PROMISED_PER_SECOND),
      },
    ]);
    return { perSecond, perCpuSecond, waits };
  } finally {
    agent.destroy();
  }
};

/** Each connection asks again when it has its answer. @returns how long each took, in milliseconds. */
async function many(count: number, get: () => Promise<void>): Promise<number[]> {
  const waitsMs: number[] = [];
  let left = count;
  const askOn = async () => {
    while (left-- > 0) {
      const startMs = performance.now();
      await get();
      waitsMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
  return waitsMs;
}

function getAll(url: string, agent: Agent, apiKey: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'xi-api-key': apiKey } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}.`));
      response.on('end', resolve).on('error', reject).resume();
    });
    sent.on('error', reject).end();
  });
}

function atLeast(value: number, limit: number): string {
  return value >= limit ? `ok (≥ ${limit})` : `MISSED (≥ ${limit})`;
}
