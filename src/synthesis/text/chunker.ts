import type { ChunkPolicy, ChunkRule } from './chunk-policy.ts';
import { bestBoundary, type MeasuredBoundary } from './chunker/best-boundary.ts';
import { BoundaryScanner, GRADES, type Grade } from './chunker/boundary-scanner.ts';
import { isSpeakable, speechWeight } from './chunker/characters.ts';
import { lastSafeCut } from './chunker/safe-cut.ts';

/** What made a chunk end where it ends; `schedule` is its rule's maximum. */
type ChunkReason = 'sentence' | 'clause' | 'words' | 'fragment' | 'schedule' | 'trigger' | 'flush';

/** A stretch of text that is spoken in one go. */
export interface Chunk {
  readonly text: string;
  /** UTF-16 offset in everything pushed so far; chunks follow each other without gap. */
  readonly start: number;
  readonly end: number;
  readonly reason: ChunkReason;
  /** False for what is left when nothing can be said: white space or punctuation alone. */
  readonly isSpeakable: boolean;
}

/** The API's minimum for `try_trigger_generation`, in characters. */
const TRIGGER_MINIMUM = 50;
/** UTF-16 units that are read at a time: 1 ms of the slowest text there is. */
const SLICE_UNITS = 64;
/**
 * How far beyond its maximum a chunk may grow while its last character is undecided. Longer
 * clusters and runs of marks are no text (UAX #15 Stream-Safe Text allows 30 combining marks).
 */
const UNDECIDED_LENGTH = 64;

const REASONS: Readonly<Record<Grade, ChunkReason>> = {
  weak: 'words',
  word: 'words',
  phrase: 'words',
  clause: 'clause',
  sentence: 'sentence',
};

/**
 * Splits a stream of text into speakable chunks.
 *
 * - The chunks' texts, joined, are the fragments, joined: nothing is lost, repeated or moved.
 *   A chunk ends after ink; the white space between two chunks starts the second.
 * - Every decision is taken at a character, so chunks do not depend on how the text was cut into
 *   fragments, with one exception: a mark that ends its sentence or clause whatever the next
 *   character is ("Hello there." outside quotes) ends it as soon as its fragment ends. Two ways of
 *   cutting therefore give the same chunks unless one of them cuts directly between a mark and
 *   more ink ("Hello." + ".."). A rule with `fragment` depends on fragments by intent.
 * - A chunk that nobody asked for is shorter than its rule's maximum and {@link UNDECIDED_LENGTH}
 *   together, and ends between two grapheme clusters unless a cluster is longer than the latter.
 * - A chunk has something to say, unless more than its maximum of blanks and marks has come, or
 *   a flush finds nothing else. Time is linear in the text.
 */
export class Chunker {
  readonly #policy: ChunkPolicy;
  readonly #scanner: BoundaryScanner;
  #text = '';
  /** Offset of the first character of `#text`. */
  #start = 0;
  /** Offset behind the last character that the scanner has read. */
  #read = 0;
  /** Measured length of what is read and not yet in a chunk. */
  #length = 0;
  /** Offset of the first speakable character in `#text`, if one is read. */
  #speechStart: number | undefined;
  #boundaries: MeasuredBoundary[] = [];
  #generation = 0;
  #chunks: Chunk[] = [];

  /** @param language BCP 47 tag of the text; absent, its scripts tell, and Latin is English. */
  constructor(policy: ChunkPolicy, language?: string) {
    this.#policy = policy;
    this.#scanner = new BoundaryScanner(language, (position, grade) => {
      this.#consider(position, grade);
    });
  }

  /** UTF-16 units that wait to be spoken. */
  get bufferedChars(): number {
    return this.#text.length;
  }

  /**
   * Takes more text, cut anywhere, and reads it a slice at a time: the reader may do other work
   * before asking for the next. It must be read to its end before anything else is called.
   *
   * @returns the chunks that each slice completes.
   */
  *push(fragment: string): Generator<readonly Chunk[], void> {
    this.#text += fragment;
    let sliceEnd = this.#read + SLICE_UNITS;
    for (let next = this.#nextCharacter(); next !== ''; next = this.#nextCharacter()) {
      this.#readCharacter(next);
      if (this.#read < sliceEnd) continue;
      yield this.#taken();
      sliceEnd = this.#read + SLICE_UNITS;
    }
    // Behind half a surrogate pair nothing is certain.
    if (this.#read === this.#start + this.#text.length) this.#scanner.readFragmentEnd();
    this.#holdMaximum();
    this.#endFragment();
    yield this.#taken();
  }

  /**
   * Speaks what waits up to the best boundary, if more than a minimum waits: the API's
   * `try_trigger_generation`, and a caller's answer to a writer who pauses.
   * @param minimum in UTF-16 units.
   */
  trigger(minimum: number = TRIGGER_MINIMUM): readonly Chunk[] {
    if (this.#text.length > minimum) {
      const best = bestBoundary(this.#speakableBoundaries(), this.#length);
      if (best !== undefined) this.#cut(best.position, 'trigger');
    }
    return this.#taken();
  }

  /** Speaks everything that waits, as one chunk. Afterwards the text starts afresh. */
  flush(): readonly Chunk[] {
    this.#read = this.#start + this.#text.length;
    if (this.#text !== '') this.#cut(this.#read, 'flush');
    this.#scanner.reset();
    return this.#taken();
  }

  /** The next chunk is the first one that a listener hears: its rule is the policy's first. */
  restart(): void {
    this.#generation = 0;
  }

  get #rule(): ChunkRule {
    const { first, later } = this.#policy;
    if (this.#generation === 0) return first;
    return later[this.#generation - 1] ?? later.at(-1) ?? first;
  }

  #taken(): readonly Chunk[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** @returns '' when nothing is left to read, or only the first half of a surrogate pair. */
  #nextCharacter(): string {
    const index = this.#read - this.#start;
    const unit = this.#text.charCodeAt(index);
    if (Number.isNaN(unit)) return '';
    if (unit < 0xd800 || unit > 0xdbff) return this.#text.charAt(index);
    const following = this.#text.charCodeAt(index + 1);
    if (Number.isNaN(following)) return '';
    const isPair = following >= 0xdc00 && following <= 0xdfff;
    return this.#text.slice(index, index + (isPair ? 2 : 1));
  }

  #readCharacter(character: string): void {
    const at = this.#read;
    // The scanner may report boundaries before this character, so it is not measured yet.
    this.#scanner.read(character, at);
    this.#read += character.length;
    this.#length += this.#measure(character);
    if (this.#speechStart === undefined && isSpeakable(character)) this.#speechStart = at;
    this.#holdMaximum();
  }

  #measure(text: string): number {
    if (this.#policy.measure === 'characters') return text.length;
    let weight = 0;
    for (const character of text) weight += speechWeight(character);
    return weight;
  }

  #consider(position: number, grade: Grade): void {
    if (position <= this.#start) return;
    const boundary = { position, grade, length: this.#lengthTo(position) };
    const last = this.#boundaries.at(-1);
    if (last?.position === position) {
      if (GRADES.indexOf(last.grade) >= GRADES.indexOf(grade)) return;
      this.#boundaries.pop();
    }
    this.#boundaries.push(boundary);
    this.#cutIfRuled(boundary);
  }

  #cutIfRuled({ position, grade, length }: MeasuredBoundary): boolean {
    const shortest = grade === 'weak' ? undefined : this.#rule[grade];
    if (shortest === undefined || length < shortest || !this.#isSpeakableTo(position)) return false;
    this.#cut(position, REASONS[grade]);
    return true;
  }

  #isSpeakableTo(position: number): boolean {
    return this.#speechStart !== undefined && this.#speechStart < position;
  }

  /** Cuts while more waits than the rule allows. A mark in doubt is given its next character. */
  #holdMaximum(): void {
    while (this.#length >= this.#rule.maximum) {
      const isOverdue = this.#length >= this.#rule.maximum + UNDECIDED_LENGTH;
      if (this.#scanner.isAtMark && !isOverdue) return;
      const position =
        bestBoundary(this.#speakableBoundaries(), this.#length)?.position ??
        this.#safeCut(isOverdue);
      if (position === undefined) return;
      this.#cut(position, 'schedule');
      this.#cutRuled();
    }
  }

  #speakableBoundaries(): readonly MeasuredBoundary[] {
    const boundaries = this.#boundaries.filter(({ position }) => this.#isSpeakableTo(position));
    const tail = this.#scanner.tail;
    if (tail === undefined || !this.#isSpeakableTo(tail.position)) return boundaries;
    const { position, grade } = tail;
    return [...boundaries, { position, grade, length: this.#lengthTo(position) }];
  }

  #lengthTo(position: number): number {
    return this.#length - this.#measure(this.#slice(position, this.#read));
  }

  #safeCut(isOverdue: boolean): number | undefined {
    const index = lastSafeCut(this.#slice(this.#start, this.#read));
    if (index > 0) return this.#start + index;
    return isOverdue ? this.#read : undefined;
  }

  /** Boundaries that were too early for the last rule may suit the one that follows it. */
  #cutRuled(): void {
    let isCut = true;
    while (isCut) isCut = this.#boundaries.some((boundary) => this.#cutIfRuled(boundary));
  }

  #endFragment(): void {
    const shortest = this.#rule.fragment;
    if (shortest === undefined) return;
    const gap = this.#scanner.isAtMark ? undefined : this.#scanner.tail;
    const last = gap ?? this.#boundaries.findLast(({ grade }) => grade !== 'weak');
    if (last === undefined || !this.#isSpeakableTo(last.position)) return;
    const isWhole = last.position === this.#scanner.inkEnd;
    if (isWhole || this.#lengthTo(last.position) >= shortest) this.#cut(last.position, 'fragment');
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from - this.#start, to - this.#start);
  }

  #cut(position: number, reason: ChunkReason): void {
    const text = this.#slice(this.#start, position);
    const rest = this.#slice(position, this.#read);
    const start = this.#start;
    const isSpoken = isSpeakable(text);
    this.#chunks.push({ text, start, end: position, reason, isSpeakable: isSpoken });
    const emitted = this.#lengthTo(position);
    this.#length -= emitted;
    this.#text = this.#text.slice(text.length);
    this.#start = position;
    this.#speechStart = speechStartIn(rest, position);
    this.#boundaries = this.#boundaries
      .filter((boundary) => boundary.position > position)
      .map(({ position, grade, length }) => ({ position, grade, length: length - emitted }));
    if (isSpoken) this.#generation += 1;
  }
}

function speechStartIn(text: string, offset: number): number | undefined {
  let at = offset;
  for (const character of text) {
    if (isSpeakable(character)) return at;
    at += character.length;
  }
  return undefined;
}
