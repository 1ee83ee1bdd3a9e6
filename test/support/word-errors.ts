import { NUMERAL, numberReadings } from './number-readings.ts';

/** Spellings of one spoken word, brought to one of them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  oh: 'zero',
  okay: 'ok',
  mister: 'mr',
  doctor: 'dr',
  colour: 'color',
  grey: 'gray',
};

/** A recogniser writes "I'm" for "I am" and the other way round. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcan(no|['’])t\b/g, 'can not'],
  [/\bwon['’]t\b/g, 'will not'],
  [/n['’]t\b/g, ' not'],
  [/\blet['’]s\b/g, 'let us'],
  [/\b(it|that|what|there|here|he|she|who|how|where)['’]s\b/g, '$1 is'],
  [/['’]m\b/g, ' am'],
  [/['’]re\b/g, ' are'],
  [/['’]ve\b/g, ' have'],
  [/['’]ll\b/g, ' will'],
];

const MONTH =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december) (\d{1,2})\b(?![.:,]\d|st|nd|rd|th)/g;

/** One word of a network of readings; `word` is null where a shorter reading skips ahead. */
interface Arc {
  readonly from: number;
  readonly word: string;
}

/** Arcs that enter each node, nodes in the order of the text. Node 0 is the start. */
type WordNetwork = readonly (readonly Arc[])[];

interface WordErrors {
  /** Substituted, left out and put in, on the alignment with the fewest. */
  readonly errors: number;
  /** Words of the reference. */
  readonly words: number;
}

/**
 * Word errors divided by reference words; 0 is perfect, more than 1 is possible.
 * Case, punctuation and the spelling of numbers do not count: see {@link countWordErrors}.
 */
export function wordErrorRate(reference: string, hypothesis: string): number {
  const { errors, words } = countWordErrors(reference, hypothesis);
  return words === 0 ? Number(errors > 0) : errors / words;
}

/**
 * Aligns two English texts by the fewest word edits (Levenshtein over words, the WER of speech
 * recognition). A numeral on either side matches any way of saying it, as alternations do in NIST's
 * sclite: "$42.50" equals "forty-two dollars and fifty cents" and "forty two fifty".
 */
export function countWordErrors(reference: string, hypothesis: string): WordErrors {
  const rows = wordNetwork(reference);
  const columns = wordNetwork(hypothesis);
  const costs: number[][] = [];
  for (const [row, intoRow] of rows.entries()) {
    const line: number[] = [];
    costs.push(line);
    for (const [column, intoColumn] of columns.entries()) {
      line.push(row + column === 0 ? 0 : cheapest(costs, row, column, intoRow, intoColumn));
    }
  }
  const errors = costs.at(-1)?.at(-1) ?? 0;
  return { errors, words: spokenWords(reference).length };
}

/** The words of a text in their canonical spelling, numerals in their most usual reading. */
export function spokenWords(text: string): string[] {
  return slots(text).flatMap((readings) => readings[0]?.split(' ') ?? []);
}

function cheapest(
  costs: readonly (readonly number[])[],
  row: number,
  column: number,
  intoRow: readonly Arc[],
  intoColumn: readonly Arc[],
): number {
  const costAt = (atRow: number, atColumn: number) => costs[atRow]?.[atColumn] ?? Infinity;
  let best = Infinity;
  for (const arc of intoRow) best = Math.min(best, costAt(arc.from, column) + 1);
  for (const other of intoColumn) best = Math.min(best, costAt(row, other.from) + 1);
  for (const arc of intoRow) {
    for (const other of intoColumn) {
      const step = arc.word === other.word ? 0 : 1;
      best = Math.min(best, costAt(arc.from, other.from) + step);
    }
  }
  return best;
}

/** Every reading of every slot becomes a chain of arcs from the slot's start node to its end node. */
function wordNetwork(text: string): WordNetwork {
  const entering: Arc[][] = [[]];
  let start = 0;
  for (const readings of slots(text)) {
    const lasts: Arc[] = [];
    for (const reading of readings) {
      const words = reading.split(' ');
      let from = start;
      for (const word of words.slice(0, -1)) {
        entering.push([{ from, word }]);
        from = entering.length - 1;
      }
      lasts.push({ from, word: words.at(-1) ?? '' });
    }
    entering.push(lasts);
    start = entering.length - 1;
  }
  return entering;
}

/** The text as a row of slots, each with the ways to say it. A plain word has one way. */
function slots(text: string): string[][] {
  const lower = text.toLowerCase().normalize('NFKC');
  const written = CONTRACTIONS.reduce(
    (before, [short, long]) => before.replaceAll(short, long),
    lower,
  )
    .replaceAll(/[’']/g, '')
    .replaceAll(/\be-mail/g, 'email')
    .replaceAll(/\bto-(day|morrow|night)\b/g, 'to$1')
    .replaceAll(/(\b|\d)([ap])\s?\.?\s?m\b\.?/g, '$1 $2m')
    .replaceAll(MONTH, (_, month, day) => `${month} ${withOrdinalEnding(day)}`);
  const result: string[][] = [];
  let done = 0;
  for (const match of written.matchAll(NUMERAL)) {
    result.push(...plainSlots(written.slice(done, match.index)), numberReadings(match[0]));
    done = match.index + match[0].length;
  }
  result.push(...plainSlots(written.slice(done)));
  return result;
}

function plainSlots(text: string): string[][] {
  const words = text.replaceAll('%', ' percent ').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.map((word) => [SPELLINGS[word] ?? word]);
}

/** A recogniser writes "March 3" for the "March third" that was said. */
function withOrdinalEnding(day: string): string {
  const teen = Math.floor(Number(day) / 10) === 1;
  const ending = teen ? undefined : { '1': 'st', '2': 'nd', '3': 'rd' }[day.at(-1) ?? ''];
  return `${day}${ending ?? 'th'}`;
}
