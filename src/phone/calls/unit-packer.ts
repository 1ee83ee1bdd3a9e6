import { UNIT_MS } from '../../domain/carrier.ts';
import type { SampleCodec } from '../../synthesis/audio/sample-codec.ts';

/** How a carrier wants its messages. */
export interface Packing {
  /** A message carries a multiple of this many units. */
  readonly unitsPerMessage: number;
  readonly maxUnitsPerMessage: number;
}

/** Audio of one message. */
export interface PackedMessage<Owner> {
  readonly units: Uint8Array;
  readonly durationMs: number;
  /** Whose audio lies where in it; silence is nobody's. */
  readonly stretches: ReadonlyArray<{
    readonly owner: Owner;
    readonly startMs: number;
    readonly durationMs: number;
  }>;
  /** Whether there is more in it than silence of our own. */
  readonly isSpeech: boolean;
}

interface Piece<Owner> {
  audio: Uint8Array;
  readonly owner: Owner | undefined;
  readonly isSpeech: boolean;
}

/** Packs audio of any length into messages of whole units. */
export class UnitPacker<Owner> {
  readonly bytesPerMs: number;
  /** Of the shortest message. */
  readonly messageMs: number;
  readonly #codec: SampleCodec;
  readonly #messageBytes: number;
  readonly #maxBytes: number;
  #pieces: Piece<Owner>[] = [];
  #bytes = 0;

  constructor(codec: SampleCodec, sampleRate: number, packing: Packing) {
    const { unitsPerMessage, maxUnitsPerMessage } = packing;
    this.#codec = codec;
    this.bytesPerMs = (sampleRate * codec.bytesPerSample) / 1000;
    this.messageMs = unitsPerMessage * UNIT_MS;
    this.#messageBytes = this.#bytesOf(this.messageMs);
    const most = Math.max(1, Math.floor(maxUnitsPerMessage / unitsPerMessage));
    this.#maxBytes = most * this.#messageBytes;
  }

  /** Bytes that wait to be taken. */
  get bytes(): number {
    return this.#bytes;
  }

  get hasMessage(): boolean {
    return this.#bytes >= this.#messageBytes;
  }

  /** The longest message that lasts no longer than this; a multiple of the shortest. */
  bytesWithin(durationMs: number): number {
    const messages = Math.floor(durationMs / this.messageMs);
    return Math.min(messages * this.#messageBytes, this.#maxBytes);
  }

  /** How many bytes make what waits a whole message. */
  get missingBytes(): number {
    return (this.#messageBytes - (this.#bytes % this.#messageBytes)) % this.#messageBytes;
  }

  push(audio: Uint8Array, owner: Owner | undefined): void {
    this.#add({ audio, owner, isSpeech: true });
  }

  pushSilence(durationMs: number): void {
    this.#addSilence(this.#bytesOf(durationMs));
  }

  /** Fills what waits up with silence. */
  pad(): void {
    this.#addSilence(this.missingBytes);
  }

  /**
   * @param maxBytes from `bytesWithin`.
   * @returns what waits, as far as it fills messages.
   */
  take(maxBytes: number): PackedMessage<Owner> {
    const whole = Math.floor(this.#bytes / this.#messageBytes) * this.#messageBytes;
    const units = new Uint8Array(Math.min(whole, maxBytes));
    const stretches: Array<PackedMessage<Owner>['stretches'][number]> = [];
    let isSpeech = false;
    let filled = 0;
    for (let [piece] = this.#pieces; piece && filled < units.length; [piece] = this.#pieces) {
      const part = piece.audio.subarray(0, units.length - filled);
      units.set(part, filled);
      isSpeech ||= piece.isSpeech;
      if (piece.owner !== undefined) {
        const startMs = filled / this.bytesPerMs;
        stretches.push({ owner: piece.owner, startMs, durationMs: part.length / this.bytesPerMs });
      }
      filled += part.length;
      if (part.length === piece.audio.length) this.#pieces.shift();
      else piece.audio = piece.audio.subarray(part.length);
    }
    this.#bytes -= units.length;
    return { units, durationMs: units.length / this.bytesPerMs, stretches, isSpeech };
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #addSilence(bytes: number): void {
    if (bytes === 0) return;
    const { silence } = this.#codec;
    const audio = Uint8Array.from({ length: bytes }, (_, at) => silence[at % silence.length] ?? 0);
    this.#add({ audio, owner: undefined, isSpeech: false });
  }

  /** Whole samples: some rates have no whole number of bytes in a millisecond. */
  #bytesOf(durationMs: number): number {
    const { bytesPerSample } = this.#codec;
    return Math.round((durationMs * this.bytesPerMs) / bytesPerSample) * bytesPerSample;
  }

  #add(piece: Piece<Owner>): void {
    this.#pieces.push(piece);
    this.#bytes += piece.audio.length;
  }
}
