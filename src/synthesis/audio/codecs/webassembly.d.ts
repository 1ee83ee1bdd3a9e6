/** What is used of WebAssembly; its types come with the browser's, which the project does without. */
declare namespace WebAssembly {
  type Exports = Record<string, unknown>;

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    readonly exports: Exports;
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
  }

  interface Memory {
    readonly buffer: ArrayBuffer;
  }
}
