import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SpeechError } from '../../../domain/errors.ts';

const require = createRequire(import.meta.url);

/** LAME as wasm-media-encoders 0.7.0 compiles it (its `src/wasm/lame/lame_enc.c`); pointers are numbers. */
interface LameExports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly malloc: (bytes: number) => number;
  readonly free: (pointer: number) => void;
  readonly enc_init: (parameters: number) => number;
  readonly enc_free: (encoder: number) => void;
  /** @returns where the pointers to the channels' buffers lie, 0 when there is no memory. */
  readonly enc_get_pcm: (encoder: number, samples: number) => number;
  readonly enc_get_out_buf: (encoder: number) => number;
  /** Both return the number of bytes in the output buffer, negative on failure. */
  readonly enc_encode: (encoder: number, samples: number) => number;
  readonly enc_flush: (encoder: number) => number;
}

/** Says "no variable bitrate" in the field for its quality. */
const CONSTANT_BITRATE = -1;
const PARAMETER_BYTES = 20;

/** `LAME_ID`, which marks both of LAME's structs as its own (LAME 3.100, `util.h`). */
const LAME_ID = 0xfff8_8e3b;
/** Places of fields in 32-bit words, in the wrapper's struct and in LAME's (LAME 3.100, 32-bit build). */
const WRAPPER_FLAGS = 7;
const FLAGS_INTERNAL = 72;
const INTERNAL_DISABLE_RESERVOIR = 37;
const INTERNAL_BUFFER_CONSTRAINT = 38;
/** The most bits that a frame may reach over, as `lame_init_params` sets it for MPEG-1 and MPEG-2. */
const BUFFER_CONSTRAINTS: readonly number[] = [15360, 7680];

let loaded: LameExports | undefined;

/**
 * One mono mp3 encoder of constant bitrate, in memory outside JavaScript's: it must be closed.
 * All encoders share one WebAssembly instance; each takes 2.2 MB of it.
 */
export class Lame {
  readonly #exports: LameExports;
  #encoder: number;

  /**
   * The library's own class would make an instance for every encoder, and asynchronously.
   *
   * @param sampleRate of the input and of the mp3: LAME would else resample 44.1 kHz at 32 kbit/s to 22.05.
   * @throws SpeechError `system_busy` when memory is spent.
   */
  constructor(sampleRate: number, kilobits: number) {
    loaded ??= load();
    this.#exports = loaded;
    this.#encoder = openEncoder(this.#exports, sampleRate, kilobits);
  }

  /** @returns the frames that are complete, with memory of their own. */
  encode(samples: Float32Array): Uint8Array {
    const { enc_get_pcm, enc_encode, memory } = this.#exports;
    const channels = enc_get_pcm(this.#encoder, samples.length);
    if (channels === 0) throw outOfMemory();
    const [channel] = new Uint32Array(memory.buffer, channels, 1);
    new Float32Array(memory.buffer, channel, samples.length).set(samples);
    return this.#output(enc_encode(this.#encoder, samples.length));
  }

  /** @returns the last frames, filled up with silence. */
  flush(): Uint8Array {
    return this.#output(this.#exports.enc_flush(this.#encoder));
  }

  /** Idempotent; nothing may be encoded afterwards. */
  close(): void {
    if (this.#encoder !== 0) this.#exports.enc_free(this.#encoder);
    this.#encoder = 0;
  }

  #output(length: number): Uint8Array {
    if (length < 0) throw new Error(`LAME failed with ${length}.`);
    const start = this.#exports.enc_get_out_buf(this.#encoder);
    return new Uint8Array(this.#exports.memory.buffer, start, length).slice();
  }
}

/** Compiling takes some 5 ms, once per process. */
function load(): LameExports {
  const file = require.resolve('wasm-media-encoders/wasm/mp3');
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {
    env: { emscripten_notify_memory_growth: () => undefined },
    wasi_snapshot_preview1: {
      proc_exit: (code: number) => {
        throw new Error(`LAME exited with ${code}.`);
      },
    },
  });
  const lame = exports as LameExports;
  lame._initialize();
  return lame;
}

function openEncoder(exports: LameExports, sampleRate: number, kilobits: number): number {
  const parameters = exports.malloc(PARAMETER_BYTES);
  if (parameters === 0) throw outOfMemory();
  const view = new DataView(exports.memory.buffer, parameters, PARAMETER_BYTES);
  view.setUint32(0, 1, true);
  view.setUint32(4, sampleRate, true);
  view.setInt32(8, kilobits, true);
  view.setFloat32(12, CONSTANT_BITRATE, true);
  view.setInt32(16, sampleRate, true);
  const encoder = exports.enc_init(parameters);
  exports.free(parameters);
  if (encoder === 0) throw outOfMemory();
  disableReservoir(exports, encoder);
  return encoder;
}

/**
 * Keeps every frame's data inside the frame, so that each can be decoded by itself. LAME has a
 * setter for this, which the package does not export; its variable is set here instead, after a
 * check that the memory looks as it does in the version that is pinned.
 */
function disableReservoir({ memory }: LameExports, encoder: number): void {
  const words = new Uint32Array(memory.buffer);
  const flags = words[encoder / 4 + WRAPPER_FLAGS] as number;
  const internal = words[flags / 4 + FLAGS_INTERNAL] as number;
  const isAsKnown =
    words[flags / 4] === LAME_ID &&
    words[internal / 4] === LAME_ID &&
    words[internal / 4 + INTERNAL_DISABLE_RESERVOIR] === 0 &&
    BUFFER_CONSTRAINTS.includes(words[internal / 4 + INTERNAL_BUFFER_CONSTRAINT] as number);
  if (!isAsKnown) throw new Error('This is not the build of LAME that lame.ts was written for.');
  words[internal / 4 + INTERNAL_DISABLE_RESERVOIR] = 1;
}

function outOfMemory(): SpeechError {
  return new SpeechError(
    'system_busy',
    'Too much mp3 is being encoded at once; try again, or choose another output_format.',
  );
}
