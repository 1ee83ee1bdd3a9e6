import type { CodecName } from '../domain/audio.ts';
import { mulaw } from './codecs/mulaw.ts';
import { pcm16 } from './codecs/pcm16.ts';

/** Mono samples to bytes and back, without state: any cut between samples gives the same bytes. */
export interface Codec {
  readonly bytesPerSample: number;
  /** The bytes of one silent sample. */
  readonly silence: Uint8Array;
  /** @param samples −1…1; louder is clipped, never wrapped. */
  encode(samples: Float32Array): Uint8Array;
  /** @returns samples of −1…1. */
  decode(bytes: Uint8Array): Float32Array;
}

/** Every codec there is; a new one is a file in `codecs/` and a row here. */
export const CODECS: Readonly<Record<CodecName, Codec>> = {
  pcm: pcm16,
  ulaw: mulaw,
};
