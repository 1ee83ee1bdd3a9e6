import type {
  BeginningSpeech,
  Engine,
  EnginePlace,
  SynthesisEvent,
  SynthesisRequest,
} from './engine.ts';

/** Several engines as one: each model is spoken by the engine that it was made for. */
export class EngineRouter implements Engine {
  readonly #engines: ReadonlyMap<string, Engine>;
  readonly #others: Engine;

  /**
   * @param engines by model file.
   * @param others speaks every other model.
   */
  constructor(engines: ReadonlyMap<string, Engine>, others: Engine) {
    this.#engines = engines;
    this.#others = others;
  }

  reserve(beginning: BeginningSpeech): EnginePlace {
    return this.#engineOf(beginning.modelFile).reserve(beginning);
  }

  synthesise(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SynthesisEvent> {
    return this.#engineOf(request.modelFile).synthesise(request, signal);
  }

  load(modelFile: string): Promise<void> {
    return this.#engineOf(modelFile).load(modelFile);
  }

  async close(): Promise<void> {
    await Promise.all([this.#others, ...this.#engines.values()].map((engine) => engine.close()));
  }

  #engineOf(modelFile: string): Engine {
    return this.#engines.get(modelFile) ?? this.#others;
  }
}
