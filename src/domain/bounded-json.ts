/** Deeper than any message or body of ours by far. */
export const MAX_JSON_DEPTH = 32;
/**
 * Brackets and commas. What is made of them, and not of text, takes the time of a reader: so many take
 * about 5 ms at most. The largest body of use, five thousand rules of a dictionary, has as many.
 */
const MAX_JSON_PARTS = 25_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses JSON (RFC 8259) of a stranger.
 * @throws SyntaxError for what is no JSON, or would take long to read.
 */
export function parseBoundedJson(text: string): unknown {
  const excess = jsonExcess(text);
  if (excess !== undefined) throw new SyntaxError(`The JSON ${excess}.`);
  return JSON.parse(text);
}

/**
 * Looks before parsing whether JSON would take long to read.
 * @returns what is too much of it, as a predicate; undefined when nothing is.
 */
export function jsonExcess(json: string): string | undefined {
  let depth = 0;
  let parts = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfText(json, index);
      continue;
    }
    const isOpening = OPENING.has(code);
    if (isOpening) depth++;
    else if (CLOSING.has(code)) depth--;
    if (isOpening || code === COMMA) parts++;
    if (depth > MAX_JSON_DEPTH) return `is nested deeper than ${MAX_JSON_DEPTH} levels`;
    if (parts > MAX_JSON_PARTS) return `has more than ${MAX_JSON_PARTS} values`;
  }
  return undefined;
}

/** The quote that ends the text which begins at `start`, or the end of the whole. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Whether an odd number of backslashes stands before a position. */
function isEscaped(json: string, position: number): boolean {
  let first = position;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (position - first) % 2 === 1;
}
