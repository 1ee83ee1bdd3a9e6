/**
 * A map that forgets its oldest entries when it holds too much. The oldest is the one that was set,
 * or read with `use`, the longest ago.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #capacity: number;
  readonly #weightOf: (value: Value) => number;
  #weight = 0;

  /**
   * @param capacity how much weight the entries may have together.
   * @param weightOf one a value unless given: then `capacity` is a number of entries.
   */
  constructor(capacity: number, weightOf: (value: Value) => number = () => 1) {
    super();
    this.#capacity = capacity;
    this.#weightOf = weightOf;
  }

  /** Reads a value and makes its entry the youngest. */
  use(key: Key): Value | undefined {
    const value = this.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const oldest of this.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    const value = this.get(key);
    if (!super.delete(key)) return false;
    this.#weight -= this.#weightOf(value as Value);
    return true;
  }

  override clear(): void {
    super.clear();
    this.#weight = 0;
  }
}
