import type { SpeechError } from '../../domain/errors.ts';
import { sampleCodecOf } from '../../synthesis/audio/codec.ts';
import { BotSlot } from './bot-slot.ts';
import {
  botLeft,
  botMissing,
  callEnding,
  carrierTooSlow,
  notTransferable,
  transferNotAllowed,
} from './call-errors.ts';
import type {
  Bot,
  BotHold,
  CallCommand,
  CallEvent,
  CallRecord,
  EndReason,
  InterruptionCause,
} from './call-messages.ts';
import type { CallParts } from './call-parts.ts';
import { CallPlayout } from './call-playout.ts';
import type { PostedCall } from './call-registry.ts';
import { CallVoice } from './call-voice.ts';
import { CallerAudio } from './caller-audio.ts';
import type { CarrierEvent } from './carrier.ts';
import { whenQuiet } from './last-words.ts';
import { allowsTransfer } from './transfer-rule.ts';
import { WholeSamples } from './whole-samples.ts';

/** How long a bot that is dialled or built in may take to come. */
const OWN_BOT_WAIT_MS = 15_000;
/**
 * How much later than it was sent a carrier that answers no marks may play what it is sent: a call that
 * ends by our clock alone would lose its last syllable.
 */
const UNTOLD_DELAY_MS = 200;
/** No bot can name this context. */
const APOLOGY_CONTEXT_ID = '\0apology';

/** A phone call: joins a carrier's stream to a bot, and the bot's words to the caller's ear. */
export class Call implements PostedCall {
  readonly #parts: CallParts;
  readonly #startMs: number;
  readonly #slot: BotSlot;
  readonly #voice: CallVoice;
  readonly #line: CallPlayout;
  readonly #callerAudio: CallerAudio;
  /** `ending`: nothing new is said; the call is over when what was said has been heard. */
  #state: 'live' | 'ending' | 'ended' = 'live';
  /** A bot may cut its recordings anywhere. */
  readonly #recordings: WholeSamples;
  #finish: () => void = () => undefined;
  /** See `Bot.transferTargets`. */
  #ownNumbers: ReadonlySet<string> | undefined;
  readonly #callOffs: Array<() => void> = [];

  constructor(parts: CallParts) {
    const { opening, record, clock } = parts;
    const { carrier, dialect, connection } = opening;
    this.#parts = parts;
    this.#startMs = clock.now();
    this.#slot = new BotSlot({
      carryOut: (command) => this.#carryOut(command),
      onTaken: parts.onClaimed,
      onLost: () => this.#botLost(),
    });
    this.#line = new CallPlayout({
      ...{ carrier, dialect, connection, clock, format: record.start.spokenFormat },
      source: {
        take: (maxBytes) => this.#voice.order.take(maxBytes),
        isIdle: () => this.#voice.order.isIdle,
      },
      onTooSlow: () => this.fail(carrierTooSlow()),
    });
    this.#voice = new CallVoice({
      bytesPerMs: this.#line.bytesPerMs,
      beginSpeech: parts.beginSpeech,
      heardMs: (context, positionMs) => this.#line.heardMs(context, positionMs),
      sentAheadMs: () => this.#line.aheadMs,
      onForgotten: (context) => this.#line.forget(context),
      tell: (event) => this.#tell(event),
      onOffered: () => this.#line.wake(),
      now: () => clock.now(),
    });
    this.#callerAudio = new CallerAudio(record.start.callerFormat);
    this.#recordings = new WholeSamples(sampleCodecOf(record.start.spokenFormat).bytesPerSample);
  }

  get record(): CallRecord {
    return this.#parts.record;
  }

  get isWaiting(): boolean {
    return this.#parts.opening.line.bot.type === 'attach' && this.#slot.isEmpty;
  }

  get isOver(): boolean {
    return this.#state === 'ended';
  }

  /** From now on the call is there for bots, but not for long. */
  begin(): void {
    const { opening, clock, watchVoice } = this.#parts;
    const { bot } = opening.line;
    const waitMs = bot.type === 'attach' ? bot.waitMs : OWN_BOT_WAIT_MS;
    const callOff = clock.after(waitMs, () => {
      if (this.#slot.isEmpty) this.#botMissing(waitMs);
    });
    this.#callOffs.push(callOff);
    const watch = watchVoice?.(this.#callerAudio, (edge) => this.#heardVoice(edge));
    if (watch) this.#callOffs.push(watch);
  }

  /** @throws SpeechError `call_taken`, `call_ended`. */
  attach(bot: Bot): BotHold {
    const hold = this.#slot.attach(bot, { type: 'call-start', call: this.record });
    this.#ownNumbers = bot.transferTargets;
    return hold;
  }

  /** Takes what the carrier says. */
  receive(event: CarrierEvent): void {
    switch (event.type) {
      case 'caller-audio':
        this.#callerAudio.receive(event.audio, event.sequence);
        return;
      case 'dtmf':
        if (this.#parts.opening.line.bargeIn.onDtmf) this.#bargeIn('dtmf');
        this.#tell({ type: 'dtmf', digit: event.digit });
        return;
      case 'mark':
        this.#line.echoed(event.name);
        return;
      case 'flow':
        this.#line.setFlow(event.isOpen);
        return;
      case 'stop':
        this.#end('hangup');
        return;
      // A second start changes nothing, a clear is not waited for, and replies have been sent.
      case 'start':
      case 'cleared':
      case 'reply':
    }
  }

  /** The carrier's connection is gone. */
  closed(): void {
    this.#end('hangup');
  }

  fail(error: SpeechError): void {
    this.#end('error', error);
  }

  #carryOut(command: CallCommand): void {
    if (this.#state === 'ending' && !GOES_WITH_ENDING.has(command.type)) throw callEnding();
    switch (command.type) {
      case 'configure':
      case 'text':
      case 'flush':
      case 'context-close':
        this.#voice.command(command);
        if (command.type === 'text' && command.text.trim() !== '') this.#line.prime();
        return;
      case 'audio':
        this.#line.prime();
        this.#voice.audio(this.#recordings.take(command.audio));
        return;
      case 'mark': {
        const { name } = command;
        this.#voice.cue({ kind: 'bot', heard: () => this.#tell({ type: 'mark-heard', name }) });
        return;
      }
      case 'clear':
        this.#fallSilent('clear');
        return;
      case 'listen':
        this.#callerAudio.listen(command.format, (audio) =>
          this.#tell({ type: 'caller-audio', audio }),
        );
        return;
      case 'hang-up':
        if (command.when === 'now') this.#end('completed');
        else this.#endAfterSpeech(() => this.#end('completed'));
        return;
      case 'transfer':
        this.#transfer(command.to);
        return;
      case 'keep-alive':
    }
  }

  #heardVoice(edge: 'start' | 'end'): void {
    this.#tell({ type: `caller-speech-${edge}` });
    if (edge === 'start') this.#bargeIn('speech');
  }

  /** The caller interrupts; not the goodbye, after which nobody would answer them. */
  #bargeIn(cause: 'speech' | 'dtmf'): void {
    if (this.#state === 'live' && !this.#line.isQuiet) this.#fallSilent(cause);
  }

  #fallSilent(cause: InterruptionCause): void {
    // The carrier is told before anything else: every millisecond is heard.
    const positionMs = this.#line.clear();
    const cut = this.#voice.cut(positionMs);
    this.#recordings.restart();
    this.#line.wake();
    this.#tell({ type: 'interruption', cause, cut });
    if (this.#state === 'ending') this.#finish();
  }

  #transfer(to: string): void {
    const { opening, isTransferable, onTransfer } = this.#parts;
    if (!allowsTransfer(opening.line.transfers, to, this.#ownNumbers)) throw transferNotAllowed();
    if (!isTransferable) throw notTransferable();
    this.#endAfterSpeech(() => {
      onTransfer(to);
      this.#end('completed');
    });
  }

  #endAfterSpeech(finish: () => void): void {
    if (this.#state !== 'live') return;
    this.#state = 'ending';
    this.#finish = finish;
    this.#callOffs.push(whenQuiet(this.#parts.clock, () => this.#line.isQuiet, finish));
    this.#voice.closeAll();
    const { clock, opening } = this.#parts;
    const lateMs = opening.carrier.answersMarks ? 0 : UNTOLD_DELAY_MS;
    this.#voice.cue({ kind: 'own', heard: () => this.#callOffs.push(clock.after(lateMs, finish)) });
  }

  /** Nobody has come to talk to the caller. */
  #botMissing(waitMs: number): void {
    this.#slot.dismiss();
    this.#parts.onClaimed();
    this.#endForWantOfBot(botMissing(waitMs));
  }

  #botLost(): void {
    if (this.#state !== 'live') return;
    const { finishesSpeech } = this.#parts.opening.line.botLoss;
    if (!finishesSpeech) {
      this.#voice.cut(this.#line.clear());
      this.#line.wake();
    }
    this.#endForWantOfBot(botLeft());
  }

  #endForWantOfBot(error: SpeechError): void {
    const { apology } = this.#parts.opening.line.botLoss;
    this.#voice.closeAll();
    if (apology !== undefined) {
      const contextId = APOLOGY_CONTEXT_ID;
      this.#voice.command({ type: 'text', contextId, text: apology, trigger: false });
      this.#line.prime();
    }
    this.#endAfterSpeech(() => this.#end('error', error));
  }

  #tell(event: CallEvent): void {
    this.#slot.tell(event);
  }

  #end(reason: EndReason, error?: SpeechError): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    const wasWaiting = this.isWaiting;
    const { clock, opening, onEnd } = this.#parts;
    const durationMs = Math.round(clock.now() - this.#startMs);
    for (const callOff of this.#callOffs) callOff();
    this.#line.close();
    this.#voice.close();
    this.#slot.end({ type: 'call-end', reason, durationMs });
    if (reason !== 'hangup') opening.connection.send(opening.dialect.hangUp());
    opening.connection.close();
    onEnd({ reason, durationMs, error, wasWaiting });
  }
}

/** What a bot may still ask when it has said that the call is to end. */
const GOES_WITH_ENDING: ReadonlySet<CallCommand['type']> = new Set([
  'clear',
  'hang-up',
  'listen',
  'keep-alive',
]);
