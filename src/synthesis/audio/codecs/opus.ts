import { createEncoder, type OpusEncoderHandle, Signal } from 'libopus-wasm';
import type { OutputFormat } from '../../../domain/audio.ts';
import { SpeechError } from '../../../domain/errors.ts';
import { clipped } from '../clipping.ts';
import type { Codec, FrameEncoder } from '../frame-encoder.ts';
import { countOggOpusSamples, OggOpusWriter } from '../ogg-opus.ts';

/** 20 ms at 48 kHz, what Opus is tuned for. */
const PACKET_SAMPLES = 960;
/**
 * Of 10. Signal to noise is 0.1–0.3 dB below that of 10 and encoding takes three quarters of the
 * time, 56 % at 32 kbit/s; a second of audio must not hold up everybody else's for long.
 */
const COMPLEXITY = 5;
/** Below, Opus is told that it hears speech, and models the voice; above, plain transform coding is closer. */
const SPEECH_MODE_BELOW = 64_000;
/** Encoders made ahead; there is a new one before the next event is handled. */
const READY_ENCODERS = 32;

const ready: OpusEncoderHandle[] = [];

/** Ogg Opus (RFC 6716, 7845), mono, variable bitrate around the format's. */
export const opus: Codec = {
  open: (format) => new OpusEncoder(format),
  countSamples: countOggOpusSamples,
};

/** libopus makes encoders asynchronously and an utterance cannot wait, so some are kept ready. */
export async function prepareOpus(): Promise<void> {
  while (ready.length < READY_ENCODERS) {
    ready.push(await createEncoder({ channels: 1, complexity: COMPLEXITY }));
  }
}

function takeEncoder({ bitsPerSecond }: OutputFormat): OpusEncoderHandle {
  const encoder = ready.pop();
  if (!encoder) {
    throw new SpeechError(
      'system_busy',
      'No Opus encoder is ready; try again, or choose another output_format.',
    );
  }
  // When there is no memory for another, a caller who finds none ready is told.
  prepareOpus().catch(() => undefined);
  encoder.setBitrate(bitsPerSecond);
  if (bitsPerSecond < SPEECH_MODE_BELOW) encoder.setSignal(Signal.Voice);
  return encoder;
}

class OpusEncoder implements FrameEncoder {
  readonly #encoder: OpusEncoderHandle;
  readonly #ogg: OggOpusWriter;
  readonly #preSkipSamples: number;
  /** The packet that is being filled. */
  readonly #pending = new Float32Array(PACKET_SAMPLES);
  #pendingSamples = 0;
  #givenSamples = 0;

  constructor(format: OutputFormat) {
    this.#encoder = takeEncoder(format);
    this.#preSkipSamples = this.#encoder.getLookahead();
    this.#ogg = new OggOpusWriter(PACKET_SAMPLES, this.#preSkipSamples);
  }

  get encodedSamples(): number {
    return this.#ogg.playedSamples;
  }

  encode(samples: Float32Array): Uint8Array {
    this.#givenSamples += samples.length;
    return this.#ogg.write(this.#packets(clipped(samples)));
  }

  /** The encoder is late by the pre-skip, so that at least one packet more is due. */
  flush(): Uint8Array {
    try {
      if (this.#givenSamples === 0) return new Uint8Array(0);
      const due = this.#pendingSamples + this.#preSkipSamples;
      const filled = Math.ceil(due / PACKET_SAMPLES) * PACKET_SAMPLES;
      const packets = this.#packets(new Float32Array(filled - this.#pendingSamples));
      return this.#ogg.end(packets, this.#givenSamples);
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#encoder.free();
  }

  #packets(samples: Float32Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (let start = 0; start < samples.length; ) {
      const part = samples.subarray(start, start + PACKET_SAMPLES - this.#pendingSamples);
      this.#pending.set(part, this.#pendingSamples);
      this.#pendingSamples += part.length;
      start += part.length;
      if (this.#pendingSamples < PACKET_SAMPLES) break;
      packets.push(this.#encoder.encodeFloat(this.#pending));
      this.#pendingSamples = 0;
    }
    return packets;
  }
}
