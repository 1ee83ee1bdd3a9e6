const VALUES: Readonly<Record<string, number>> = {
  I: 1,
  V: 5,
  X: 10,
  L: 50,
  C: 100,
  D: 500,
  M: 1000,
};

/** A canonical Roman numeral up to 39, the only ones that names and headings use; never the empty one. */
export const ROMAN_NUMERAL = '(?=[IVX])X{0,3}(?:I[XV]|V?I{0,3})';

/** The value of a numeral that matches `ROMAN_NUMERAL`. */
export function romanValue(numeral: string): number {
  const values = [...numeral].map((letter) => VALUES[letter] ?? 0);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}
