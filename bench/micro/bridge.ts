/**
 * What the bridge itself costs, without synthesis and sockets: calls in real time through Twilio's
 * dialect, their bots playing recordings and hearing the caller. Run it with
 * `npx tsx bench/micro/bridge.ts [calls] [seconds]`.
 */
import { pathToFileURL } from 'node:url';
import { parseOutputFormat } from '../../src/domain/audio.ts';
import type { BotHold, CallEvent } from '../../src/phone/calls/call-messages.ts';
import type { Line } from '../../src/phone/calls/line.ts';
import type { MediaStream } from '../../src/phone/calls/media-stream.ts';
import { PhoneCalls } from '../../src/phone/calls/phone-calls.ts';
import { twilio } from '../../src/phone/carriers/twilio/twilio.ts';
import { ToneEngine } from '../../test/support/tone-engine.ts';
import { toneSpeech } from '../../test/support/tone-speech.ts';
import { printTable, round } from '../latency/report.ts';

const UNIT_MS = 20;
const ULAW_SECOND = 8000;
const LINE: Line = {
  ...{ lineId: 'bench', keyId: undefined, voiceId: undefined, modelId: undefined },
  ...{ voiceSettings: {}, latencyLevel: 3, secrets: {} },
  bot: { type: 'attach', waitMs: 60_000 },
  bargeIn: { onSpeech: false, onDtmf: false },
  botLoss: { finishesSpeech: true, apology: undefined },
  transfers: undefined,
};

export interface BridgeFigures {
  readonly calls: number;
  readonly seconds: number;
  readonly hears: boolean;
  /** Of one core, for each call. */
  readonly percentPerCall: number;
  readonly messagesPerCallSecond: number;
}

/** @param hears whether bots also hear their callers, at another rate than the carrier's. */
export async function bridge(
  calls: number,
  seconds: number,
  hears: boolean,
): Promise<BridgeFigures> {
  const mediaStreams = openDesk();
  let messages = 0;
  const streams = Array.from({ length: calls }, (_, index) =>
    openCall(mediaStreams, index, hears, () => messages++),
  );
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const sentBefore = messages;
  const startMs = performance.now();
  const before = process.cpuUsage();
  let ticks = 0;
  const talking = setInterval(() => {
    // Callers talk all the time; each message is late by what the timer is.
    for (; ticks * UNIT_MS < performance.now() - startMs; ticks++) {
      for (const [index, stream] of streams.entries()) stream.receive(media(index, ticks));
    }
  }, UNIT_MS);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const { user, system } = process.cpuUsage(before);
  const elapsedS = (performance.now() - startMs) / 1000;
  clearInterval(talking);
  for (const stream of streams) stream.closed();
  return {
    ...{ calls, seconds, hears },
    percentPerCall: (user + system) / 1e4 / elapsedS / calls,
    messagesPerCallSecond: (messages - sentBefore) / elapsedS / calls,
  };
}

function openDesk(): PhoneCalls {
  const silent = () => undefined;
  return new PhoneCalls({
    speech: toneSpeech(new ToneEngine()),
    telemetry: { callStarted: silent, callEnded: silent, callRefused: silent },
    openLog: () => ({ info: silent, warn: silent }),
    tell: async () => undefined,
    assertRoom: silent,
    liveCalls: { add: silent, delete: silent },
    answer: silent,
    voiceActivity: undefined,
  });
}

function openCall(
  mediaStreams: PhoneCalls,
  index: number,
  hears: boolean,
  onMessage: () => void,
): MediaStream {
  const stream = mediaStreams.open({
    carrier: twilio,
    dialect: twilio.open({ headers: {}, query: {} }),
    line: LINE,
    connection: { send: (sent) => sent.forEach(onMessage), unsentBytes: 0, close: () => undefined },
    admit: async () => ({
      caller: {
        ...{ accountId: `${index}`, tier: 'business', concurrencyLimit: null },
        ...{ keyId: 'key', keyHash: '', scopes: 'all' },
      },
    }),
  });
  const leave = mediaStreams.callRegistry.watch(`${index}`, {
    waiting: (call) => {
      leave();
      let hold: BotHold | undefined;
      const tell = (event: CallEvent) => {
        if (event.type === 'call-start') setTimeout(() => hold && begin(hold, hears), 0);
      };
      hold = mediaStreams.callRegistry.attach(call.accountId, call.callId, { tell });
    },
    ended: () => undefined,
  });
  stream.receive(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
  stream.receive(startMessage(index));
  return stream;
}

function begin(hold: BotHold, hears: boolean): void {
  if (hears) hold.command({ type: 'listen', format: parseOutputFormat('pcm_16000') });
  const second = new Uint8Array(ULAW_SECOND).fill(0x55);
  for (let count = 0; count < 120; count++) hold.command({ type: 'audio', audio: second });
}

function startMessage(index: number): string {
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  const start = {
    ...{ streamSid: `MZ${index}`, accountSid: 'AC', callSid: `CA${index}` },
    ...{ tracks: ['inbound'], customParameters: {}, mediaFormat },
  };
  return JSON.stringify({ event: 'start', sequenceNumber: '1', streamSid: `MZ${index}`, start });
}

const PAYLOAD = Buffer.alloc(160, 0x7f).toString('base64');

function media(index: number, tick: number): string {
  const [chunk, timestamp] = [`${tick + 1}`, `${tick * UNIT_MS}`];
  return JSON.stringify({
    ...{ event: 'media', sequenceNumber: `${tick + 2}`, streamSid: `MZ${index}` },
    media: { track: 'inbound', chunk, timestamp, payload: PAYLOAD },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [calls = 20, seconds = 20] = process.argv.slice(2).map(Number);
  const rows: BridgeFigures[] = [];
  for (const hears of [false, true]) rows.push(await bridge(calls, seconds, hears));
  printTable(
    'The bridge alone, one core',
    rows.map((row) => ({
      calls: row.calls,
      'bot hears': row.hears ? 'yes' : 'no',
      '% of a core a call': round(row.percentPerCall, 2),
      'messages a second': round(row.messagesPerCallSecond, 1),
    })),
  );
}
