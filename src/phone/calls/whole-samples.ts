/** Mends audio that was cut inside of a sample: heard from there on, it would be noise. */
export class WholeSamples {
  readonly #bytesPerSample: number;
  /** The beginning of a sample whose end is still to come. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(bytesPerSample: number) {
    this.#bytesPerSample = bytesPerSample;
  }

  /** @returns the samples that are whole now; views of `audio` where they can be. */
  take(audio: Uint8Array): Uint8Array {
    if (this.#rest.length === 0 && audio.length % this.#bytesPerSample === 0) return audio;
    const joined = Buffer.concat([this.#rest, audio]);
    const whole = joined.length - (joined.length % this.#bytesPerSample);
    this.#rest = joined.subarray(whole);
    return joined.subarray(0, whole);
  }

  /** What comes next belongs to no sample begun before. */
  restart(): void {
    this.#rest = new Uint8Array(0);
  }
}
