/** Remembers the values used last, up to a number of them. */
export class RecentlyUsed<Value> {
  readonly #capacity: number;
  /** Least recently used first: a Map keeps the order of insertion. */
  readonly #values = new Map<string, Value>();

  /** @param capacity how many values are kept, at least 1. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#capacity) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }
}
