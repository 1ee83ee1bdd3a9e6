import type { TextMap, TextSegment } from './pronunciation.ts';

/** The map of text that is spoken as it is written. */
export function identityMap(text: string): TextMap {
  const whole = {
    originalStart: 0,
    originalEnd: text.length,
    spokenStart: 0,
    spokenEnd: text.length,
  };
  return { original: text, spoken: text, segments: text === '' ? [] : [whole] };
}

/**
 * The map from the original of the first to what the second speaks, as fine as the two allow: what
 * neither changes stays unchanged, and what one of them replaces is replaced as a whole. Takes time
 * linear in the texts.
 *
 * @param second of the text that the first speaks: `second.original === first.spoken`.
 */
export function composeMaps(first: TextMap, second: TextMap): TextMap {
  const left = new MapSide(fromFirst(first));
  const right = new MapSide(fromSecond(second));
  const segments: ComposedSegment[] = [];
  while (left.current ?? right.current) {
    const start = { original: left.outer, spoken: right.outer };
    const isKept = step(left, right);
    const last = segments.at(-1);
    if (isKept && last?.isKept) segments.pop();
    const joined = isKept && last?.isKept ? last : undefined;
    segments.push({
      originalStart: joined?.originalStart ?? start.original,
      originalEnd: left.outer,
      spokenStart: joined?.spokenStart ?? start.spoken,
      spokenEnd: right.outer,
      isKept,
    });
  }
  return {
    original: first.original,
    spoken: second.spoken,
    segments: segments.map(({ isKept: _, ...segment }) => segment),
  };
}

interface ComposedSegment extends TextSegment {
  readonly isKept: boolean;
}

/** Moves both sides to the next place of the text between them where both can be cut. */
function step(left: MapSide, right: MapSide): boolean {
  if (left.dropEmpty() || right.dropEmpty()) return false;
  const [one, other] = [left.current, right.current];
  if (!one || !other)
    throw new RangeError('The second map is not of the text that the first speaks.');
  const isKept = one.isKept && other.isKept;
  const ends = [one, other].filter((part) => isKept || !part.isKept).map((part) => part.innerEnd);
  let end = isKept ? Math.min(...ends) : Math.max(...ends);
  for (let reached = -1; reached !== end; ) {
    reached = left.reach(end);
    end = right.reach(reached);
  }
  return isKept;
}

/** A segment seen from the text between the two maps (inner) to the text outside (outer). */
interface SidePart {
  readonly innerStart: number;
  readonly innerEnd: number;
  readonly outerStart: number;
  readonly outerEnd: number;
  readonly isKept: boolean;
}

function fromFirst({ original, spoken, segments }: TextMap): readonly SidePart[] {
  return segments.map(({ originalStart, originalEnd, spokenStart, spokenEnd }) => ({
    innerStart: spokenStart,
    innerEnd: spokenEnd,
    outerStart: originalStart,
    outerEnd: originalEnd,
    isKept: original.slice(originalStart, originalEnd) === spoken.slice(spokenStart, spokenEnd),
  }));
}

function fromSecond({ original, spoken, segments }: TextMap): readonly SidePart[] {
  return segments.map(({ originalStart, originalEnd, spokenStart, spokenEnd }) => ({
    innerStart: originalStart,
    innerEnd: originalEnd,
    outerStart: spokenStart,
    outerEnd: spokenEnd,
    isKept: original.slice(originalStart, originalEnd) === spoken.slice(spokenStart, spokenEnd),
  }));
}

/** Reads the parts of one map in order. Kept text can be cut anywhere, replaced text nowhere. */
class MapSide {
  readonly #parts: readonly SidePart[];
  #index = 0;
  #outer = 0;

  constructor(parts: readonly SidePart[]) {
    this.#parts = parts;
  }

  /** How far the outer text has been read. */
  get outer(): number {
    return this.#outer;
  }

  get current(): SidePart | undefined {
    return this.#parts[this.#index];
  }

  /** Reads a part that has no inner text: text that the first map drops, or the second adds. */
  dropEmpty(): boolean {
    const part = this.current;
    if (part === undefined || part.innerStart !== part.innerEnd) return false;
    this.#finish(part);
    return true;
  }

  /** Reads up to an inner position, or as far past it as a replaced part goes; says how far. */
  reach(innerEnd: number): number {
    let end = innerEnd;
    for (let part = this.current; part && part.innerStart < end; part = this.current) {
      if (part.isKept && part.innerEnd > end) {
        this.#outer = part.outerStart + (end - part.innerStart);
        break;
      }
      end = Math.max(end, part.innerEnd);
      this.#finish(part);
    }
    return end;
  }

  #finish(part: SidePart): void {
    this.#outer = part.outerEnd;
    this.#index += 1;
  }
}
