import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierSide, Handshake, OutgoingCall, SideEvent } from '../carrier-side.ts';
import type { PlayoutEvent, PlayoutRules } from '../playout-rules.ts';
import { chooseFormat, keyedParameters, refuseVariant } from '../side-choices.ts';
import { TokenBucket } from '../token-bucket.ts';
import { audioEvents, finding, type JsonObject, jsonMessage, objectOf } from '../wire-checks.ts';

const FIRST_PING_MS = 1000;
const PING_INTERVAL_MS = 5000;
/** Binary messages that a server may send: so many a second, and so many at once. */
const MESSAGES_PER_SECOND = 5;
const MESSAGE_BURST = 25;
const OFFERED = { type: 'audio', format: 'PCMU', channels: ['external'], rate: 8000 };

export const openGenesysSide = (setup: OutgoingCall): CarrierSide => new GenesysSide(setup);

/**
 * Genesys Cloud's Audio Connector, which is a client of the AudioHook protocol, version 2
 * (developer.genesys.cloud/devapps/audiohook, and the reference client of purecloudlabs). No audio
 * goes out before the server has answered `open`; every message has the sequence numbers of both.
 */
class GenesysSide implements CarrierSide {
  readonly handshake: Handshake;
  readonly format: OutputFormat;
  readonly frameMs = 200;
  readonly waitsForGoodbye = true;
  readonly playout: PlayoutRules = {
    frameMs: 20,
    prefillMs: 0,
    capacityMs: 600_000,
    clearedMarks: 'forgotten',
  };
  readonly #setup: OutgoingCall;
  readonly #sessionId: string;
  readonly #bucket = new TokenBucket(MESSAGES_PER_SECOND, MESSAGE_BURST);
  #state: 'opening' | 'open' | 'closing' | 'closed' = 'opening';
  #seq = 0;
  #serverSeq = 0;
  #positionMs = 0;
  #nextPingMs = FIRST_PING_MS;

  constructor(setup: OutgoingCall) {
    refuseVariant('Genesys', setup.variant);
    this.#setup = setup;
    this.format = chooseFormat('Genesys', setup.format, ['ulaw_8000']);
    this.#sessionId = setup.newId();
    this.handshake = {
      headers: {
        'audiohook-organization-id': setup.newId(),
        'audiohook-session-id': this.#sessionId,
        'audiohook-correlation-id': setup.newId(),
        'user-agent': 'GenesysCloud-AudioHook-Client',
        ...(setup.apiKey !== undefined && { 'x-api-key': setup.apiKey }),
      },
      query: {},
    };
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  greet(): readonly CarrierMessage[] {
    const { newId, from, to, parameters, apiKey } = this.#setup;
    const open = {
      organizationId: newId(),
      conversationId: newId(),
      participant: { id: newId(), ani: from, aniName: '', dnis: to },
      media: [OFFERED],
      language: 'en-US',
      inputVariables: keyedParameters(parameters, apiKey),
    };
    return [this.#message('open', open)];
  }

  callerAudio(frame: Uint8Array, atMs: number): readonly CarrierMessage[] {
    if (!this.isOpen) return [];
    this.#positionMs += this.frameMs;
    if (atMs < this.#nextPingMs) return [frame];
    this.#nextPingMs = atMs + PING_INTERVAL_MS;
    return [frame, this.#message('ping', {})];
  }

  key(digit: string): readonly CarrierMessage[] {
    return this.isOpen ? [this.#message('dtmf', { digit })] : [];
  }

  receive(message: CarrierMessage, atMs: number): readonly SideEvent[] {
    if (typeof message !== 'string') return this.#audio(message, atMs);
    const read = jsonMessage(message);
    if ('events' in read) return read.events;
    const { body } = read;
    return [...this.#envelopeComplaints(body), ...this.#handle(body)];
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    if (this.#state !== 'open') return [];
    if (event.type === 'started') return [this.#message('playback_started', {})];
    if (event.type === 'drained') return [this.#message('playback_completed', {})];
    return [];
  }

  hangUp(): readonly CarrierMessage[] {
    if (this.#state !== 'open') return [];
    this.#state = 'closing';
    return [this.#message('close', { reason: 'end' })];
  }

  #handle(body: JsonObject): readonly SideEvent[] {
    const parameters = objectOf(body['parameters']);
    switch (body['type']) {
      case 'opened':
        return this.#opened(parameters);
      case 'closed':
        this.#state = 'closed';
        return [{ type: 'hang-up', reason: 'The server closed the session.' }];
      case 'disconnect':
        return this.#disconnected();
      case 'event':
        return entitiesOf(parameters).some((entity) => entity['type'] === 'barge_in')
          ? [{ type: 'clear' }]
          : [];
      case 'pong':
      case 'updated':
      case 'reconnect':
        return [];
      case 'pause':
        return [{ type: 'reply', messages: [this.#message('paused', {})] }];
      case 'resume':
        return [
          {
            type: 'reply',
            messages: [this.#message('resumed', { start: this.#position, discarded: 'PT0S' })],
          },
        ];
      default:
        return [finding(`Genesys knows no message "${String(body['type'])}" from a server.`)];
    }
  }

  #opened(parameters: JsonObject | undefined): readonly SideEvent[] {
    if (this.#state !== 'opening') return [finding('The session was opened a second time.')];
    this.#state = 'open';
    const media = parameters?.['media'];
    const chosen = Array.isArray(media) ? media : [];
    const isOffered =
      chosen.length === 1 && JSON.stringify(sorted(chosen[0])) === JSON.stringify(sorted(OFFERED));
    return isOffered ? [] : [finding('The media of "opened" are none of those that were offered.')];
  }

  /** The client closes at the server's wish, and waits for the answer. */
  #disconnected(): readonly SideEvent[] {
    if (this.#state === 'open') {
      this.#state = 'closing';
      return [{ type: 'reply', messages: [this.#message('close', { reason: 'disconnect' })] }];
    }
    return [{ type: 'hang-up', reason: 'The server disconnected before the session was open.' }];
  }

  #envelopeComplaints(body: JsonObject): readonly SideEvent[] {
    const complaints: string[] = [];
    const { version, id, seq, clientseq } = body;
    if (version !== '2') complaints.push('A message did not have version "2".');
    if (id !== this.#sessionId) complaints.push('A message had the id of another session.');
    if (seq !== this.#serverSeq + 1) {
      complaints.push("A server's sequence number did not follow the one before it.");
    }
    if (typeof clientseq !== 'number' || clientseq > this.#seq) {
      complaints.push('clientseq was not the number of a message that the server had got.');
    }
    if (typeof seq === 'number') this.#serverSeq = seq;
    return complaints.map(finding);
  }

  #audio(audio: Uint8Array, atMs: number): readonly SideEvent[] {
    if (this.#state === 'opening') return [finding('Audio was sent before "opened".')];
    if (this.#bucket.take(atMs)) return audioEvents(audio, this.format);
    const error = this.#message('error', { code: 429, message: 'Rate limit exceeded' });
    return [
      finding('More than 5 messages of audio a second were sent: Genesys drops them.'),
      { type: 'reply', messages: [error] },
    ];
  }

  get #position(): string {
    return `PT${this.#positionMs / 1000}S`;
  }

  #message(type: string, parameters: JsonObject): string {
    return JSON.stringify({
      version: '2',
      id: this.#sessionId,
      type,
      seq: ++this.#seq,
      serverseq: this.#serverSeq,
      position: this.#position,
      parameters,
    });
  }
}

function entitiesOf(parameters: JsonObject | undefined): readonly JsonObject[] {
  const entities = parameters?.['entities'];
  if (!Array.isArray(entities)) return [];
  return entities.map(objectOf).filter((entity) => entity !== undefined);
}

function sorted(value: unknown): unknown {
  return Object.entries(objectOf(value) ?? {}).toSorted(([a], [b]) => a.localeCompare(b));
}
