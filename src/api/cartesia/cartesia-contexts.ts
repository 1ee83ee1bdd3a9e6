import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import { BoundedMap } from '../../domain/bounded-map.ts';
import { reconfigured } from '../../domain/voice.ts';
import { assertFormatAllowed } from '../../service/account/tiers.ts';
import type { ContextCommand } from '../../synthesis/speech/speech-contexts.ts';
import {
  type OpenContext,
  openSpeech,
  type SpeechServices,
} from '../../synthesis/speech/speech-services.ts';
import { type ConnectionAdmission, contextTurns } from '../stream/admission.ts';
import { traceIdOf } from '../websocket/trace-id.ts';
import { rawOutput } from './cartesia-formats.ts';
import type { CartesiaMessage } from './cartesia-schemas.ts';
import {
  cartesiaModel,
  cartesiaReading,
  cartesiaSettings,
  cartesiaVoice,
} from './cartesia-speech.ts';

/** A voice agent is what text is streamed for. */
const LATENCY_LEVEL = 3;
/** More than a connection ever has at once. */
const REMEMBERED_CONTEXTS = 256;

/** The connection that contexts belong to. */
export interface CartesiaConnection {
  readonly id: string;
  readonly caller: Caller;
  readonly log: FastifyBaseLogger;
}

/** What the contexts of one connection speak with: here each says for itself who speaks, and how. */
export class CartesiaContexts implements ConnectionAdmission {
  readonly #connection: CartesiaConnection;
  readonly #services: SpeechServices;
  readonly #turns: ReturnType<typeof contextTurns>;
  readonly #asked = new BoundedMap<string, CartesiaMessage>(REMEMBERED_CONTEXTS);
  readonly #ready = new BoundedMap<string, OpenContext>(REMEMBERED_CONTEXTS);
  #opened = 0;

  constructor(connection: CartesiaConnection, services: SpeechServices) {
    this.#connection = connection;
    this.#services = services;
    this.#turns = contextTurns(services.speaker);
  }

  get caller(): Caller {
    return this.#connection.caller;
  }

  /** The first message of a context counts; one that comes after its end begins it anew. */
  ask(contextId: string, message: CartesiaMessage): void {
    this.#asked.set(contextId, message);
  }

  ready({ type, contextId }: ContextCommand): Promise<void> | undefined {
    if (type !== 'text' || this.#ready.use(contextId)) return undefined;
    return this.#open(contextId).then((open) => void this.#ready.set(contextId, open));
  }

  openerOf(contextId: string): OpenContext {
    const open = this.#ready.get(contextId);
    if (!open) throw new Error('A context began before it was ready.');
    return open;
  }

  /** The context has ended: text for it begins another. */
  forget(contextId: string): void {
    this.#ready.delete(contextId);
  }

  /** @throws SpeechError the first complaint about what was asked for. */
  async #open(contextId: string): Promise<OpenContext> {
    const asked = this.#asked.get(contextId);
    if (!asked) throw new Error('A context has text that nobody asked for.');
    const { caller, id, log } = this.#connection;
    const { voiceSettings = {}, dictionaries } = cartesiaSettings(asked);
    const format = rawOutput(asked.output_format ?? {});
    assertFormatAllowed(caller, format);
    const model = cartesiaModel(asked);
    const voice = await this.#services.findVoice(caller, cartesiaVoice(asked));
    const ordinal = ++this.#opened;
    const open = openSpeech(this.#services, {
      ...{ caller, log, turns: this.#turns },
      voice: reconfigured(voice, voiceSettings),
      request: { ...cartesiaReading(asked, LATENCY_LEVEL), format },
      meter: this.#services.openMeter(caller, model),
      traceIdOf: (chunkNumber) => traceIdOf(`${id}-${ordinal}`, chunkNumber),
    });
    return (settings, sink, ports) =>
      open({ ...settings, ...(dictionaries && { dictionaries }) }, sink, ports);
  }
}
