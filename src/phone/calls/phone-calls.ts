import { randomUUID } from 'node:crypto';
import { CONFIRM_INTERVAL_MS, KeyWatch } from '../../api/websocket/key-watch.ts';
import type { Caller } from '../../domain/account.ts';
import type { OutputFormat } from '../../domain/audio.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { LiveWork } from '../../domain/live-work.ts';
import { resolveModel } from '../../domain/model.ts';
import { reconfigured } from '../../domain/voice.ts';
import { normalises, type SpeechRequest } from '../../synthesis/speech/speech-request.ts';
import { openSpeech, type SpeechLog } from '../../synthesis/speech/speech-services.ts';
import { NO_VOICE_ACTIVITY } from '../voice-activity/model-file.ts';
import { Call } from './call.ts';
import { type CallClock, SYSTEM_CLOCK } from './call-clock.ts';
import type { CallRecord } from './call-messages.ts';
import type { CallEnd } from './call-parts.ts';
import { CallRegistry } from './call-registry.ts';
import type { CallServices } from './call-services.ts';
import type { CallVoiceParts } from './call-voice.ts';
import type { CallStart } from './carrier.ts';
import { CountingMeter } from './counting-meter.ts';
import { IncomingStream } from './incoming-stream.ts';
import type { Line } from './line.ts';
import type {
  AdmittedCall,
  MediaStream,
  MediaStreamHandler,
  StreamOpening,
} from './media-stream.ts';
import { type TransferQuestion, Transfers } from './transfers.ts';
import { type VoiceWatch, voiceWatch } from './voice-watch.ts';

/** How long the account of a call that is over waits for the last chunk to be charged. */
const SETTLE_LIMIT_MS = 2000;
/** How long a shutdown waits for a carrier to ask where a call was passed on to. */
const FOLLOW_UP_WAIT_MS = 5000;

/** What one stream is known by before, and after, there is a call. */
interface Intake {
  readonly callId: string;
  readonly opening: StreamOpening;
  readonly log: SpeechLog;
}

/** What a call begins with, once it was let in. */
interface PreparedCall {
  readonly followUpToken: string | undefined;
  readonly record: CallRecord;
  readonly beginSpeech: CallVoiceParts['beginSpeech'];
}

/** Takes carriers' streams and makes phone calls of them. */
export class PhoneCalls implements MediaStreamHandler {
  /** The calls that are going on, for bots to take. */
  readonly callRegistry = new CallRegistry();
  readonly #services: CallServices;
  readonly #clock: CallClock;
  readonly #transfers: Transfers;
  /** Calls that have ended here, and whose carriers have not been told yet whom to dial. */
  readonly #followUps: LiveWork;

  constructor(services: CallServices) {
    this.#services = services;
    this.#clock = services.clock ?? SYSTEM_CLOCK;
    this.#transfers = new Transfers(() => this.#clock.now());
    const transfers = this.#transfers;
    this.#followUps = {
      get busy() {
        return transfers.hasNewerThan(FOLLOW_UP_WAIT_MS);
      },
      fail: () => services.liveCalls.delete(this.#followUps),
    };
  }

  /** Calls that are going on. */
  get count(): number {
    return this.callRegistry.size;
  }

  open(opening: StreamOpening): MediaStream {
    const { liveCalls, telemetry, openLog } = this.#services;
    const callId = randomUUID();
    const log = openLog({ callId, lineId: opening.line.lineId });
    const stream: IncomingStream = new IncomingStream({
      opening,
      clock: this.#clock,
      log,
      prepare: (start, admitted) =>
        this.#prepare({ callId, opening, log }, start, admitted, () => liveCalls.delete(stream)),
      onRefused: (error) => {
        liveCalls.delete(stream);
        telemetry.callRefused(log, opening.carrier.name, error);
      },
    });
    liveCalls.add(stream);
    return stream;
  }

  takeTransfer(question: TransferQuestion): string | undefined {
    const number = this.#transfers.take(question);
    if (!this.#followUps.busy) this.#services.liveCalls.delete(this.#followUps);
    return number;
  }

  async #prepare(
    intake: Intake,
    start: CallStart,
    { caller, followUpToken }: AdmittedCall,
    onEnd: () => void,
  ): Promise<() => Call> {
    const { line, carrier } = intake.opening;
    const { speech } = this.#services;
    this.#services.assertRoom(caller.accountId, this.callRegistry.accounts);
    const model = resolveModel(line.modelId);
    const voice = await speech.findVoice(caller, line.voiceId);
    const meter = new CountingMeter(speech.openMeter(caller, model));
    const beginSpeech = openSpeech(speech, {
      ...{ caller, meter, log: intake.log },
      voice: reconfigured(voice, line.voiceSettings),
      request: speechRequest(line, start.spokenFormat),
      // Whether there is room was asked when the call came: a caller is not left in silence later.
      isAdmitted: true,
    });
    return () => {
      const record: CallRecord = {
        callId: intake.callId,
        lineId: line.lineId,
        carrier: carrier.name,
        accountId: caller.accountId,
        startedAtMs: this.#clock.wallNow(),
        start,
      };
      const keyWatch = this.#watchKey(caller, (error) => call.fail(error));
      const call = this.#begin(intake, { record, followUpToken, beginSpeech }, (end) => {
        keyWatch.close();
        // A shutdown waits for the account to be told.
        void this.#report(intake, record, meter, end).then(onEnd);
      });
      return call;
    };
  }

  /** A call that is silent must not outlive the key that pays for it. */
  #watchKey(caller: Caller, onRefused: (error: SpeechError) => void): KeyWatch {
    const { confirm } = this.#services.speech;
    return new KeyWatch(
      CONFIRM_INTERVAL_MS,
      () => confirm(caller),
      onRefused,
      (delayMs, action) => this.#clock.after(delayMs, action),
    );
  }

  #begin(
    { opening, log }: Intake,
    { record, followUpToken, beginSpeech }: PreparedCall,
    onEnd: (end: CallEnd) => void,
  ): Call {
    const { accountId, lineId, start } = record;
    const { carrierCallId } = start;
    const call: Call = new Call({
      ...{ record, opening, beginSpeech, clock: this.#clock },
      watchVoice: this.#watchOf(opening.line, record.start, log),
      onClaimed: () => {
        if (opening.line.bot.type === 'attach') this.callRegistry.claimed(record);
      },
      isTransferable: carrierCallId !== undefined || followUpToken !== undefined,
      onTransfer: (to) => {
        this.#transfers.remember({ accountId, lineId, carrierCallId, followUpToken }, to);
        this.#services.liveCalls.add(this.#followUps);
      },
      onEnd: (end) => {
        this.callRegistry.remove(record, end.wasWaiting);
        onEnd(end);
      },
    });
    this.#services.telemetry.callStarted(log, record.carrier);
    call.begin();
    this.callRegistry.post(call);
    this.#services.answer(record, opening.line, (bot) => call.attach(bot));
    return call;
  }

  #watchOf(line: Line, { callerFormat }: CallStart, log: SpeechLog): VoiceWatch | undefined {
    if (!line.bargeIn.onSpeech) return undefined;
    const { voiceActivity } = this.#services;
    if (voiceActivity) return voiceWatch(voiceActivity, callerFormat.sampleRate);
    log.warn({}, NO_VOICE_ACTIVITY);
    return undefined;
  }

  async #report(
    { log }: Intake,
    record: CallRecord,
    meter: CountingMeter,
    { reason, durationMs, error }: CallEnd,
  ): Promise<void> {
    const { telemetry, tell } = this.#services;
    await this.#settled(meter);
    const { carrier, callId, accountId, startedAtMs } = record;
    const { characters } = meter;
    telemetry.callEnded(log, { carrier, reason, durationMs, characters }, error);
    const data = {
      call_id: callId,
      carrier,
      started_at_unix: Math.floor(startedAtMs / 1000),
      duration_ms: durationMs,
      character_count: characters,
      end_reason: reason,
    };
    await tell({ type: 'call.ended', accountId, data }).catch((cause: unknown) => {
      log.warn({ err: cause }, 'call.ended could not be told');
    });
  }

  async #settled(meter: CountingMeter): Promise<void> {
    let callOff = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      callOff = this.#clock.after(SETTLE_LIMIT_MS, resolve);
    });
    await Promise.race([meter.settled(), late]);
    callOff();
  }
}

function speechRequest({ latencyLevel }: Line, format: OutputFormat): SpeechRequest {
  const normalise = normalises('auto', latencyLevel);
  return { format, latencyLevel, normalise, alignment: 'synchronised' };
}
