import type { OutputFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';
import { SAMPLE_CODECS, sampleCodecOf } from '../../synthesis/audio/codec.ts';
import { Resampler } from '../../synthesis/audio/resampler.ts';
import type { SampleCodec } from '../../synthesis/audio/sample-codec.ts';
import { MediaOrder } from './media-order.ts';
import { WholeSamples } from './whole-samples.ts';

/** What the caller says: put in order, and changed into what each listener wants of it. */
export class CallerAudio {
  readonly #format: OutputFormat;
  readonly #codec: SampleCodec;
  readonly #order = new MediaOrder();
  readonly #whole: WholeSamples;
  #bot: ((audio: Uint8Array) => void) | undefined;
  #samples: ((samples: Float32Array) => void) | undefined;

  /** @param format of what the carrier sends. */
  constructor(format: OutputFormat) {
    this.#format = format;
    this.#codec = sampleCodecOf(format);
    this.#whole = new WholeSamples(this.#codec.bytesPerSample);
  }

  /** @param sequence see `CarrierEvent`. */
  receive(audio: Uint8Array, sequence?: number): void {
    const ready = sequence === undefined ? [audio] : this.#order.push(sequence, audio);
    if (!this.#bot && !this.#samples) return;
    for (const piece of ready) this.#deliver(this.#whole.take(piece));
  }

  /**
   * Hands the audio on to the bot from now on; to nobody, without a format.
   * @throws SpeechError `invalid_output_format` for one that a caller's audio is not encoded in.
   */
  listen(format: OutputFormat | undefined, hear: (audio: Uint8Array) => void): void {
    if (!format) this.#bot = undefined;
    else this.#bot = format.name === this.#format.name ? hear : this.#translator(format, hear);
  }

  /** Hands the audio on as samples of −1…1, at a rate of the listener's choice. */
  watch(sampleRate: number, hear: (samples: Float32Array) => void): void {
    const resampler = new Resampler(this.#format.sampleRate, sampleRate);
    this.#samples = (samples) => hear(resampler.process(samples));
  }

  #translator(format: OutputFormat, hear: (audio: Uint8Array) => void) {
    const codec = format.codec in SAMPLE_CODECS ? sampleCodecOf(format) : undefined;
    if (!codec) {
      throw new SpeechError(
        'invalid_output_format',
        `The caller's audio cannot be sent as ${format.name}. Use a pcm, ulaw or alaw format.`,
        { param: 'output_format' },
      );
    }
    const resampler = new Resampler(this.#format.sampleRate, format.sampleRate);
    return (audio: Uint8Array) => {
      const encoded = codec.encode(resampler.process(this.#codec.decode(audio)));
      if (encoded.length > 0) hear(encoded);
    };
  }

  #deliver(audio: Uint8Array): void {
    if (audio.length === 0) return;
    this.#bot?.(audio);
    this.#samples?.(this.#codec.decode(audio));
  }
}
