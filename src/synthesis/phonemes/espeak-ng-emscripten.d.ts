/** The part of the package's surface that is used; the package has no types of its own. */
declare module '@echogarden/espeak-ng-emscripten' {
  export interface EspeakModule {
    readonly HEAPU8: Uint8Array;
    readonly eSpeakNGWorker: new () => EspeakWorker;
    _free(pointer: number): void;
  }

  export interface EspeakWorker {
    /** @returns 0, or an error code for a name that no voice has. */
    set_voice(name: string): number;
    /** @returns a zero-terminated UTF-8 string on the module's heap, which the caller frees. */
    text_to_phonemes(text: string, useIpa: 0 | 1): { readonly ptr: number };
  }

  // biome-ignore lint/style/noDefaultExport: this is how the package exports it.
  export default function load(): Promise<EspeakModule>;
}
