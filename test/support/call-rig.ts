import type { Caller } from '../../src/domain/account.ts';
import { parseOutputFormat } from '../../src/domain/audio.ts';
import type { SpeechError } from '../../src/domain/errors.ts';
import type { LiveWork } from '../../src/domain/live-work.ts';
import type { ServiceEvent } from '../../src/domain/service-event.ts';
import type { BotHold, CallCommand, CallEvent } from '../../src/phone/calls/call-messages.ts';
import type { AnswerCall, CallOutcome, CallServices } from '../../src/phone/calls/call-services.ts';
import type { CallStart, Carrier, CarrierDialect } from '../../src/phone/calls/carrier.ts';
import type { Line } from '../../src/phone/calls/line.ts';
import type { AdmittedCall } from '../../src/phone/calls/media-stream.ts';
import { PhoneCalls } from '../../src/phone/calls/phone-calls.ts';
import type { VoiceActivity } from '../../src/phone/voice-activity/voice-activity.ts';
import type { ChunkMeter } from '../../src/synthesis/speech/speaker.ts';
import { TEST_CARRIER, TestCarrierConnection } from './call-carrier.ts';
import { VirtualClock } from './call-virtual-clock.ts';
import { ToneEngine } from './tone-engine.ts';
import { toneSpeaker, toneSpeech } from './tone-speech.ts';

export const CALLER: Caller = {
  accountId: 'account',
  tier: 'business',
  concurrencyLimit: null,
  keyId: 'key',
  keyHash: '',
  scopes: 'all',
};

export const TEST_LINE: Line = {
  lineId: 'support',
  keyId: undefined,
  voiceId: undefined,
  modelId: undefined,
  voiceSettings: {},
  latencyLevel: 0,
  bot: { type: 'attach', waitMs: 10_000 },
  bargeIn: { onSpeech: false, onDtmf: false },
  botLoss: { finishesSpeech: true, apology: undefined },
  transfers: ['+1555xxxx'],
  secrets: {},
};

export function testStart(spoken = 'ulaw_8000', caller = spoken): CallStart {
  return {
    streamId: 'stream',
    carrierCallId: 'carrier-call',
    from: '+1555',
    to: '+1556',
    parameters: {},
    callerFormat: parseOutputFormat(caller),
    spokenFormat: parseOutputFormat(spoken),
  };
}

export interface RigOptions {
  readonly engine?: ToneEngine;
  readonly openMeter?: () => ChunkMeter;
  readonly assertRoom?: CallServices['assertRoom'];
  readonly voiceActivity?: VoiceActivity;
  readonly answer?: AnswerCall;
  readonly findVoice?: () => Promise<never>;
  readonly confirm?: () => Promise<unknown>;
}

/** The desk that takes calls, with everything real but the voice, the carrier and time. */
export class CallRig {
  readonly engine: ToneEngine;
  readonly clock: VirtualClock;
  readonly calls: PhoneCalls;
  readonly live = new Set<LiveWork>();
  readonly told: ServiceEvent[] = [];
  readonly ended: Array<CallOutcome & { code: string | undefined }> = [];
  readonly refused: Array<string | undefined> = [];
  readonly logged: string[] = [];

  constructor(options: RigOptions = {}) {
    this.engine = options.engine ?? new ToneEngine();
    this.clock = new VirtualClock(() => this.engine.spoken.length);
    const { clock, engine } = this;
    const log = {
      info: (fields: object, message: string) => this.#log(fields, message),
      warn: (fields: object, message: string) => this.#log(fields, message),
    };
    this.calls = new PhoneCalls({
      speech: toneSpeech(engine, {
        speaker: toneSpeaker(engine, { now: clock.now }),
        ...(options.findVoice && { findVoice: options.findVoice }),
        ...(options.confirm && { confirm: options.confirm }),
        ...(options.openMeter && { openMeter: options.openMeter }),
        telemetry: {
          chunkSpoken: (chunkLog, level, chunk) =>
            chunkLog.info({ level, ...chunk }, 'chunk spoken'),
          chunkCut: () => undefined,
        },
      }),
      telemetry: {
        callStarted: () => undefined,
        callEnded: (_log, outcome, error) => this.ended.push({ ...outcome, code: error?.code }),
        callRefused: (_log, _carrier, error) => this.refused.push(error?.code),
      },
      openLog: () => log,
      tell: async (event) => void this.told.push(event),
      assertRoom: options.assertRoom ?? (() => undefined),
      liveCalls: this.live,
      answer: options.answer ?? (() => undefined),
      voiceActivity: options.voiceActivity,
      clock,
    });
  }

  #log(fields: object, message: string): void {
    this.logged.push(JSON.stringify({ ...fields, message }));
  }

  /** A carrier connects; it has said nothing yet. */
  connect(
    parts: {
      carrier?: Partial<Carrier>;
      dialect?: CarrierDialect;
      line?: Partial<Line>;
      start?: CallStart;
      admit?: () => Promise<AdmittedCall>;
    } = {},
  ): TestCarrierConnection {
    const carrier = { ...TEST_CARRIER, ...parts.carrier };
    const { codec, sampleRate } = (parts.start ?? testStart()).spokenFormat;
    const connection = new TestCarrierConnection(
      this.clock,
      carrier,
      ((codec === 'pcm' ? 2 : 1) * sampleRate) / 1000,
    );
    connection.stream = this.calls.open({
      carrier,
      dialect: parts.dialect ?? carrier.open({ headers: {}, query: {} }),
      line: { ...TEST_LINE, ...parts.line },
      connection,
      admit: parts.admit ?? (async () => ({ caller: CALLER })),
    });
    return connection;
  }

  /** A call that is going on, with a bot. */
  async call(parts: Parameters<CallRig['connect']>[0] = {}): Promise<TestCall> {
    const connection = this.connect(parts);
    connection.say({ type: 'start', start: parts.start ?? testStart() });
    await this.clock.settle();
    const [record] = this.calls.callRegistry.waiting(CALLER.accountId).slice(-1);
    if (!record) throw new Error('The call does not wait for a bot.');
    const bot = new TestCall(connection);
    bot.hold = this.calls.callRegistry.attach(CALLER.accountId, record.callId, bot);
    await this.clock.settle();
    return bot;
  }
}

/** Both ends of a call: what its bot was told, and what its carrier got. */
export class TestCall {
  readonly connection: TestCarrierConnection;
  readonly events: CallEvent[] = [];
  hold: BotHold | undefined;
  onEvent: (event: CallEvent) => void = () => undefined;

  constructor(connection: TestCarrierConnection) {
    this.connection = connection;
  }

  tell(event: CallEvent): void {
    this.events.push(event);
    this.onEvent(event);
  }

  told<Type extends CallEvent['type']>(type: Type): Array<Extract<CallEvent, { type: Type }>> {
    return this.events.filter(
      (event): event is Extract<CallEvent, { type: Type }> => event.type === type,
    );
  }

  command(...commands: CallCommand[]): void {
    for (const command of commands) this.hold?.command(command);
  }

  say(text: string, contextId = 'turn'): void {
    this.command({ type: 'text', contextId, text, trigger: false });
  }

  mark(name: string): void {
    this.command({ type: 'mark', name });
  }

  get marks(): readonly string[] {
    return this.told('mark-heard').map(({ name }) => name);
  }

  /** @throws SpeechError that the command was refused with. */
  refusalOf(command: CallCommand): SpeechError | undefined {
    try {
      this.command(command);
      return undefined;
    } catch (thrown) {
      return thrown as SpeechError;
    }
  }
}
