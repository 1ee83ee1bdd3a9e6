/**
 * Says which word each symbol of a clause belongs to, by comparing how the clause is pronounced
 * with how its words are pronounced alone. espeak-ng joins words ("of the"), and speaks one word as
 * several ("42"), so its spaces alone do not tell.
 *
 * @param symbols the clause's phoneme symbols; words are separated by single spaces.
 * @param alone the symbols of each word of the clause, spoken by itself; may be empty.
 * @returns for each symbol the index of its word, non-decreasing. A space between two words
 *   belongs to the first.
 */
export function alignWords(
  symbols: readonly string[],
  alone: ReadonlyArray<readonly string[]>,
): readonly number[] {
  const joined = joinWords(alone);
  if (joined.symbols.length === 0) return symbols.map(() => 0);
  const matches = matchSymbols(symbols, joined.symbols);
  return fillGaps(
    symbols,
    matches.map((index) => (index === undefined ? undefined : joined.words[index])),
  );
}

interface JoinedWords {
  readonly symbols: readonly string[];
  /** Parallel to `symbols`; the space after a word belongs to it. */
  readonly words: readonly number[];
}

function joinWords(alone: ReadonlyArray<readonly string[]>): JoinedWords {
  const symbols: string[] = [];
  const words: number[] = [];
  let lastVoiced: number | undefined;
  alone.forEach((word, index) => {
    if (word.length === 0) return;
    if (lastVoiced !== undefined) {
      symbols.push(' ');
      words.push(lastVoiced);
    }
    for (const symbol of word) {
      symbols.push(symbol);
      words.push(index);
    }
    lastVoiced = index;
  });
  return { symbols, words };
}

const REPLACED = 10;
const FORBIDDEN = 1000;
/** Twice the longest clause of real text, about 5 ms; beyond, proportion is good enough. */
const MOST_CELLS = 500_000;

const DIAGONAL = 0;
const ADDED = 1;
const DROPPED = 2;

/**
 * Needleman–Wunsch global alignment.
 *
 * @returns for each of `left` the index in `right` that it stands for; undefined where it was added.
 */
function matchSymbols(
  left: readonly string[],
  right: readonly string[],
): ReadonlyArray<number | undefined> {
  const columns = right.length + 1;
  if ((left.length + 1) * columns > MOST_CELLS) {
    return left.map((_, index) => Math.floor((index * right.length) / left.length));
  }
  const steps = fillSteps(left, right);
  const matches: Array<number | undefined> = left.map(() => undefined);
  let row = left.length;
  let column = right.length;
  while (row > 0 && column > 0) {
    const step = steps[row * columns + column];
    if (step !== ADDED) column -= 1;
    if (step !== DROPPED) row -= 1;
    if (step === DIAGONAL) matches[row] = column;
  }
  return matches;
}

/** @returns the cheapest last step to each cell; row `r`, column `c` is at `r·columns + c`. */
function fillSteps(left: readonly string[], right: readonly string[]): Uint8Array {
  const columns = right.length + 1;
  const steps = new Uint8Array((left.length + 1) * columns);
  const dropCosts = right.map(skipCost);
  let above = new Int32Array(columns);
  let costs = new Int32Array(columns);
  for (let column = 1; column < columns; column++) {
    above[column] = at(above, column - 1) + (dropCosts[column - 1] ?? 0);
  }
  left.forEach((symbol, index) => {
    const addCost = skipCost(symbol);
    costs[0] = at(above, 0) + addCost;
    for (let column = 1; column < columns; column++) {
      const diagonal = at(above, column - 1) + replaceCost(symbol, right[column - 1] ?? '');
      const added = at(above, column) + addCost;
      const dropped = at(costs, column - 1) + (dropCosts[column - 1] ?? 0);
      const cheapest = Math.min(diagonal, added, dropped);
      costs[column] = cheapest;
      steps[(index + 1) * columns + column] =
        cheapest === diagonal ? DIAGONAL : cheapest === added ? ADDED : DROPPED;
    }
    [above, costs] = [costs, above];
  });
  return steps;
}

function at(costs: Int32Array, index: number): number {
  return costs[index] ?? 0;
}

/** Stress and length change easily when words meet; sounds rarely appear or vanish. */
function skipCost(symbol: string): number {
  if (isStressOrLength(symbol)) return 4;
  return symbol === ' ' ? 7 : 8;
}

function replaceCost(left: string, right: string): number {
  if (left === right) return 0;
  if (left === ' ' || right === ' ') return FORBIDDEN;
  return isStressOrLength(left) === isStressOrLength(right) ? REPLACED : 2 * REPLACED;
}

function isStressOrLength(symbol: string): boolean {
  return symbol === 'ˈ' || symbol === 'ˌ' || symbol === 'ː';
}

/**
 * Gives symbols that no word accounts for to the word before them, or, at the head of a spoken
 * word, to the one that follows.
 */
function fillGaps(
  symbols: readonly string[],
  known: ReadonlyArray<number | undefined>,
): readonly number[] {
  const filled: number[] = [];
  let word = known.find((one) => one !== undefined) ?? 0;
  symbols.forEach((symbol, index) => {
    const isHead = index > 0 && symbols[index - 1] === ' ';
    const own = known[index] ?? (isHead ? followingWord(symbols, known, index) : undefined);
    if (own !== undefined && symbol !== ' ') word = own;
    filled.push(word);
  });
  return filled;
}

function followingWord(
  symbols: readonly string[],
  known: ReadonlyArray<number | undefined>,
  head: number,
): number | undefined {
  for (let index = head; index < symbols.length && symbols[index] !== ' '; index++) {
    if (known[index] !== undefined) return known[index];
  }
  return undefined;
}
