import type { Codec, FrameEncoder } from './frame-encoder.ts';

/** Mono samples to bytes and back, without state: any cut between samples gives the same bytes. */
export interface SampleCodec {
  readonly bytesPerSample: number;
  /** What a WAV file calls it: RFC 2361 and the Multimedia Programming Interface of 1991. */
  readonly wavTag: number;
  /** The bytes of one silent sample. */
  readonly silence: Uint8Array;
  /** @param samples −1…1; louder is clipped, never wrapped. */
  encode(samples: Float32Array): Uint8Array;
  /** @returns samples of −1…1. */
  decode(bytes: Uint8Array): Float32Array;
}

/** A codec whose encoders hold nothing back and nothing to give up. */
export function statelessCodec(codec: SampleCodec): Codec {
  return {
    open: () => new StatelessEncoder(codec),
    countSamples: (encoded) => Math.floor(encoded.length / codec.bytesPerSample),
  };
}

class StatelessEncoder implements FrameEncoder {
  readonly #codec: SampleCodec;
  #encodedSamples = 0;

  constructor(codec: SampleCodec) {
    this.#codec = codec;
  }

  get encodedSamples(): number {
    return this.#encodedSamples;
  }

  encode(samples: Float32Array): Uint8Array {
    this.#encodedSamples += samples.length;
    return this.#codec.encode(samples);
  }

  flush(): Uint8Array {
    return new Uint8Array(0);
  }

  close(): void {}
}
