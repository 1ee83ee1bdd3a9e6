import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import llamaTokenizer from 'llama-tokenizer-js';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { Resampler } from '../../src/synthesis/audio/resampler.ts';

const MODEL_FOLDER = new URL('../../models/moonshine-tiny/', import.meta.url);

/** What Moonshine hears, whatever rate it is given. */
const RECOGNISER_SAMPLE_RATE = 16_000;

/** Shape of Moonshine tiny's decoder (github.com/usefulsensors/moonshine, `moonshine-tiny`). */
const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;

const START_OF_TEXT = 1;
const END_OF_TEXT = 2;

/**
 * A bound for a decoder that repeats itself without end. Brisk English has seven tokens a second;
 * the six at which the model's authors stop cut the ends off short sentences.
 */
const MAX_TOKENS_PER_SECOND = 10;

/** Model load options of a test: one thread, so that two test files share two cores fairly. */
const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

type DecoderFeeds = Record<string, Tensor>;

/** Moonshine tiny, an English speech recogniser that tests judge intelligibility with. */
export class Recogniser {
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;

  constructor(encoder: InferenceSession, decoder: InferenceSession) {
    this.#encoder = encoder;
    this.#decoder = decoder;
  }

  /**
   * Writes down what is said, choosing the likeliest token at every step.
   * @param samples mono, −1…1, at most about a minute.
   * @param sampleRate samples per second of `samples`.
   * @returns English text with case and punctuation; empty for less than a tenth of a second.
   */
  async transcribe(samples: Float32Array, sampleRate: number): Promise<string> {
    const audio = atRecogniserRate(samples, sampleRate);
    const seconds = audio.length / RECOGNISER_SAMPLE_RATE;
    if (seconds < 0.1) return '';
    const { last_hidden_state: heard } = await this.#encoder.run({
      input_values: new Tensor('float32', audio, [1, audio.length]),
    });
    if (!heard) throw new Error('The recogniser’s encoder has no output last_hidden_state.');
    const tokens = await this.#decode(heard, Math.ceil(seconds * MAX_TOKENS_PER_SECOND));
    return llamaTokenizer.decode(tokens, false).trim();
  }

  async close(): Promise<void> {
    await Promise.all([this.#encoder.release(), this.#decoder.release()]);
  }

  async #decode(heard: Tensor, maxTokens: number): Promise<number[]> {
    const tokens: number[] = [];
    let past = emptyPast();
    let latest = START_OF_TEXT;
    while (tokens.length < maxTokens) {
      const first = tokens.length === 0;
      const output = await this.#decoder.run({
        ...past,
        input_ids: new Tensor('int64', BigInt64Array.of(BigInt(latest)), [1, 1]),
        encoder_hidden_states: heard,
        use_cache_branch: new Tensor('bool', [!first], [1]),
      });
      latest = likeliest(output['logits']?.data as Float32Array);
      if (latest === END_OF_TEXT) break;
      tokens.push(latest);
      past = nextPast(past, output, first);
    }
    return tokens;
  }
}

/**
 * Opens the recogniser from the files that the test set-up fetched.
 * @throws Error when they are not there, naming the command that fetches them.
 */
export async function openRecogniser(): Promise<Recogniser> {
  const paths = ['encoder_model.onnx', 'decoder_model_merged.onnx'].map((name) =>
    fileURLToPath(new URL(name, MODEL_FOLDER)),
  );
  const missing = paths.find((path) => !existsSync(path));
  if (missing) throw new Error(`No recogniser at ${missing}: run "npm test" once to fetch it.`);
  const [encoder, decoder] = await Promise.all(
    paths.map((path) => InferenceSession.create(path, SESSION_OPTIONS)),
  );
  if (!encoder || !decoder) throw new Error('The recogniser needs an encoder and a decoder.');
  return new Recogniser(encoder, decoder);
}

function atRecogniserRate(samples: Float32Array, sampleRate: number): Float32Array {
  if (sampleRate === RECOGNISER_SAMPLE_RATE) return samples;
  const resampler = new Resampler(sampleRate, RECOGNISER_SAMPLE_RATE);
  const [body, tail] = [resampler.process(samples), resampler.flush()];
  const joined = new Float32Array(body.length + tail.length);
  joined.set(body);
  joined.set(tail, body.length);
  return joined;
}

function emptyPast(): DecoderFeeds {
  const past: DecoderFeeds = {};
  for (let layer = 0; layer < LAYERS; layer += 1) {
    for (const kind of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']) {
      const none = new Tensor('float32', new Float32Array(0), [0, HEADS, 1, HEAD_SIZE]);
      past[`past_key_values.${layer}.${kind}`] = none;
    }
  }
  return past;
}

/** The encoder's keys and values are computed by the first step alone; later steps return dummies. */
function nextPast(
  past: DecoderFeeds,
  output: InferenceSession.OnnxValueMapType,
  first: boolean,
): DecoderFeeds {
  return Object.fromEntries(
    Object.entries(past).map(([name, kept]) => {
      if (!first && name.includes('.encoder.')) return [name, kept];
      return [name, output[name.replace('past_key_values', 'present')] as Tensor];
    }),
  );
}

function likeliest(logits: Float32Array): number {
  let best = 0;
  for (let index = 1; index < logits.length; index += 1) {
    if ((logits[index] ?? -Infinity) > (logits[best] ?? -Infinity)) best = index;
  }
  return best;
}
