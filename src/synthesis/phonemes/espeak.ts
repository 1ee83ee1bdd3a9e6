import type { EspeakModule, EspeakWorker } from '@echogarden/espeak-ng-emscripten';

/** Names that are safe to look for as files; espeak-ng takes paths too. */
const VOICE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/iu;

/** espeak-ng's text-to-phoneme half. A voice change costs 0.4 ms, a sentence about 0.5 ms. */
export class Espeak {
  readonly #module: EspeakModule;
  readonly #worker: EspeakWorker;
  readonly #decoder = new TextDecoder();
  #language: string | undefined;

  constructor(module: EspeakModule) {
    this.#module = module;
    this.#worker = new module.eSpeakNGWorker();
  }

  /** @returns false when espeak-ng has no voice of this name, such as `en-us`. */
  select(language: string): boolean {
    if (language === this.#language) return true;
    const isKnown = VOICE_NAME.test(language) && this.#worker.set_voice(language) === 0;
    this.#language = isKnown ? language : undefined;
    return isKnown;
  }

  /**
   * @param text without controls or lone surrogates.
   * @returns IPA as the package writes it: `_` between sounds, ` | ` between clauses.
   */
  phonemes(text: string): string {
    const pointer = this.#worker.text_to_phonemes(text, 1).ptr;
    // The heap moves when it grows, so it is looked up after the call.
    const heap = this.#module.HEAPU8;
    const ipa = this.#decoder.decode(heap.subarray(pointer, heap.indexOf(0, pointer)));
    this.#module._free(pointer);
    return ipa;
  }
}
