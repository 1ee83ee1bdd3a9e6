const GUILLEMETS = '«»';
const SINGLE_GUILLEMETS = '‹›';
const FAMILIES: readonly string[] = ['"＂', '“”„‟', GUILLEMETS, SINGLE_GUILLEMETS];

/**
 * Follows which quotes and brackets are open. Quotes of one family open and close in turn, because
 * languages disagree which of a pair is which („deutsch“, “English”, ”svenska”, »dansk«).
 */
export class Quotation {
  readonly #openFamilies = new Set<string>();
  #brackets = 0;

  get isOpen(): boolean {
    return this.#brackets > 0 || this.#openFamilies.size > 0;
  }

  /** French sets « guillemets » off with spaces: one that closes may follow a space. */
  get hasGuillemets(): boolean {
    return this.#openFamilies.has(GUILLEMETS) || this.#openFamilies.has(SINGLE_GUILLEMETS);
  }

  openBracket(): void {
    this.#brackets += 1;
  }

  closeBracket(): void {
    this.#brackets = Math.max(0, this.#brackets - 1);
  }

  /** @returns whether this quote opens one. */
  quote(mark: string): boolean {
    const family = familyOf(mark);
    if (this.#openFamilies.delete(family)) return false;
    this.#openFamilies.add(family);
    return true;
  }

  isOpenBy(mark: string): boolean {
    return this.#openFamilies.has(familyOf(mark));
  }

  /** A quote that can only close, because it follows a sentence's end directly. */
  closeQuote(mark: string): void {
    this.#openFamilies.delete(familyOf(mark));
  }

  /** Forgets what a writer opened and never closed. */
  reset(): void {
    this.#openFamilies.clear();
    this.#brackets = 0;
  }
}

function familyOf(mark: string): string {
  return FAMILIES.find((family) => family.includes(mark)) ?? mark;
}
