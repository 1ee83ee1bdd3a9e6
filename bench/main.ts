import { parseArgs } from 'node:util';
import { parseOutputFormat } from '../src/domain/audio.ts';
import { measureAhead } from './calls/ahead.ts';
import { calls } from './calls/calls.ts';
import { withPhoneServer } from './calls/phone-server.ts';
import { kokoro } from './engine/kokoro.ts';
import { hostile } from './hostile/hostile.ts';
import type { Bench, Job } from './latency/bench.ts';
import { firstAudio } from './latency/first-audio.ts';
import { idle } from './latency/idle.ts';
import { interruptions } from './latency/interruptions.ts';
import { levels } from './latency/levels.ts';
import { replies } from './latency/replies.ts';
import { warnIfBusy, writeResults } from './latency/report.ts';
import { rest } from './latency/rest.ts';
import { ServerProcess } from './latency/server-process.ts';
import { shares } from './latency/shares.ts';
import { streams } from './latency/streams.ts';
import { firstAudioMs, speak } from './latency/utterance.ts';
import { wires } from './latency/wires.ts';
import { audio } from './micro/audio.ts';
import { engine } from './micro/engine.ts';
import { textSlices } from './micro/text.ts';
import { quality } from './quality/levels.ts';
import { admission } from './service/admission.ts';
import { listing } from './service/listing.ts';
import { history } from './storage/history.ts';

const SAMPLES = 200;
const QUICK_SAMPLES = 40;
const WARM_UP_UTTERANCES = 10;

/** Jobs that need a running server, by the name that the command line gives them. */
const SERVER_JOBS: Readonly<Record<string, Job>> = {
  firstAudio,
  levels,
  shares,
  quality,
  rest,
  wires,
  listing,
  streams,
  interruptions,
  idle,
};
/** Jobs that measure one part of the program inside this process, or start a server of their own. */
const PART_JOBS: Readonly<Record<string, () => Promise<unknown>>> = {
  audio,
  engine,
  text: textSlices,
  history,
  kokoro: () => kokoro(sampleCount()),
  admission: () => admission(sampleCount()),
  calls: () => calls({ samples: sampleCount(), minutes: callMinutes() }),
  ahead: () => withPhoneServer(measureAhead),
  hostile: () => hostile({ isQuick: options.quick, only: options.attack }),
};

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  latency: ['firstAudio', 'levels', 'shares'],
  levels: ['levels', 'shares', 'quality'],
  shares: ['shares'],
  streams: ['streams', 'interruptions'],
  interruptions: ['interruptions'],
  rest: ['rest'],
  wires: ['wires'],
  idle: ['idle'],
  history: ['history'],
  service: ['admission', 'history', 'listing', 'rest'],
  calls: ['calls', 'ahead'],
  ahead: ['ahead'],
  hostile: ['hostile'],
  engine: ['engine'],
  kokoro: ['kokoro'],
  audio: ['audio'],
  text: ['text'],
  all: [...Object.keys(PART_JOBS), ...Object.keys(SERVER_JOBS)],
};

const USAGE = `npm run bench -- [command] [options]

  latency   TTFB, TTFA and first token to speech at levels 0–4 (without a command, this one)
  levels    first token to speech, how the levels share the gain, and what each costs in quality
  shares    how the levels share the gain, by first sentence and speed of writing (part of levels)
  streams   1, 2, 4, 8 and 16 streams at once, and random arrivals
  interruptions
            what a turn waits after eight that were interrupted (part of streams)
  rest      first byte over streaming REST beside the websocket's
  wires     first audio over other vendors' websockets beside the first wire's
  idle      memory and processor time of 600 connections that say nothing
  history   listing 10 000 generations, on SQLite and PostgreSQL
  service   letting requests in, listing voices and history, and streaming REST
  calls     phone calls through a simulated carrier: words, barge-in, underruns, the bridge's cost
  ahead     calls whose bots queue turns ahead (part of calls)
  hostile   a call that speaks while the server is attacked: its lead, memory, refusals
  engine    processor time of the engine alone, beside one run of the uncut voice
  kokoro    Kokoro's first block and processor time, and turbo beside two of its streams
  audio     speed of resampling and encoding
  text      longest slices of hostile text on the main thread
  all       everything

  --quick          ${QUICK_SAMPLES} samples a row instead of ${SAMPLES}
  --minutes <n>    with calls: calls of that length in real time, their underruns and drift
  --attack <name>  with hostile: one alone, such as "long text"
  --voice <id>     instead of the voice that is listed first
  --model <id>     instead of svc_turbo_v1
  --format <name>  instead of ulaw_8000

bench/README.md says what each figure means.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    attack: { type: 'string' },
    voice: { type: 'string' },
    model: { type: 'string', default: 'svc_turbo_v1' },
    format: { type: 'string', default: 'ulaw_8000' },
    help: { type: 'boolean', default: false },
  },
});

const jobNames = COMMANDS[positionals[0] ?? 'latency'];
if (options.help || !jobNames || positionals.length > 1 || Number.isNaN(callMinutes())) {
  console.log(USAGE);
  process.exit(options.help ? 0 : 2);
}
const startedAt = new Date();
const loadBefore = warnIfBusy();
writeResults(startedAt, { options, loadBefore, ...(await runJobs(jobNames)) });

async function runJobs(names: readonly string[]): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const [name, job] of Object.entries(PART_JOBS)) {
    if (names.includes(name)) results[name] = await job();
  }
  const serverJobs = Object.entries(SERVER_JOBS).filter(([name]) => names.includes(name));
  if (serverJobs.length === 0) return results;
  // The rows ask as fast as they can, with one key.
  const server = await ServerProcess.start({ SIDETONE_RATE_LIMIT_KEY: '10000000' });
  try {
    const bench = await openBench(server);
    results['start'] = await warmUp(bench);
    for (const [name, job] of serverJobs) results[name] = await job(bench);
  } finally {
    await server.stop();
  }
  return results;
}

function sampleCount(): number {
  return options.quick ? QUICK_SAMPLES : SAMPLES;
}

/** @returns not a number when it is none. */
function callMinutes(): number | undefined {
  return options.minutes === undefined ? undefined : Number.parseFloat(options.minutes);
}

async function openBench(server: ServerProcess): Promise<Bench> {
  const voiceId = options.voice ?? (await server.firstVoiceId());
  const speaker = {
    origin: `ws://127.0.0.1:${server.port}`,
    apiKey: server.apiKey,
    voiceId,
    modelId: options.model,
    formatName: parseOutputFormat(options.format).name,
  };
  return {
    server,
    samples: sampleCount(),
    target: (level) => ({ ...speaker, level }),
  };
}

/** Speaks until code is compiled and caches are filled; the very first utterance is reported. */
async function warmUp({ server, target }: Bench) {
  const text = replies(0);
  const waits: number[] = [];
  while (waits.length < WARM_UP_UTTERANCES) {
    waits.push(firstAudioMs(await speak(target(3), text.next().value, 'at once', 'end')));
  }
  const [coldTtfbMs = 0] = waits;
  console.log(
    `\nListening ${server.startMs.toFixed(0)} ms after its start; ` +
      `the first utterance of all waited ${coldTtfbMs.toFixed(1)} ms (level 3).`,
  );
  return { startMs: server.startMs, coldTtfbMs };
}
