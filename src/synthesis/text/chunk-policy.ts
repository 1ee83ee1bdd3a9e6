/** When the text that waits may become a chunk. Lengths count from the end of the last chunk. */
export interface ChunkRule {
  /** Shortest chunk that may end with a sentence. Absent, like the next three: not before `maximum`. */
  readonly sentence?: number;
  /** Shortest chunk that may end with a clause (comma, semicolon, colon, dash, line break). */
  readonly clause?: number;
  /** Shortest chunk that may end before a conjunction, a preposition or an opening bracket. */
  readonly phrase?: number;
  /** Shortest chunk that may end after any word that does not lean on the next one. */
  readonly word?: number;
  /**
   * Every fragment is spoken when it ends. One that ends inside a word, or with a word that the
   * next fragment might continue, is spoken up to its last whole word if that is at least this long.
   */
  readonly fragment?: number;
  /** When this much waits, a chunk is cut at the best boundary within it. */
  readonly maximum: number;
}

/** Which rule governs which chunk. */
export interface ChunkPolicy {
  /**
   * What lengths count: UTF-16 units, or speech in Latin letters (a Han character weighs 3, a
   * Hangul syllable 2), so that one threshold means the same waiting in every script.
   */
  readonly measure: 'characters' | 'speech';
  readonly first: ChunkRule;
  /** The second chunk's rule, the third's, and so on; the last repeats. */
  readonly later: readonly ChunkRule[];
}

/** How hard a stream trades phrasing for an early start (`optimize_streaming_latency`). */
export type LatencyLevel = 0 | 1 | 2 | 3 | 4;

/**
 * About 27 s of speech. A voice has lost its line by then, and a text stage that costs more than
 * linear time must not be given more.
 */
const LONGEST = 400;

/** A whole sentence at a time: the best phrasing that a sentence-wise voice can give. */
const SENTENCES: ChunkRule = { sentence: 1, maximum: LONGEST };

/**
 * Once a listener hears speech, the next chunk may be longer: speech takes about 15 characters a
 * second, and even a slow writer (20 tokens, 80 characters a second) brings five while one is
 * played. The shortest first chunk, 8 characters, buys 40 for the second; that one buys a clause.
 */
const SECOND: ChunkRule = { sentence: 1, clause: 20, phrase: 32, word: 40, maximum: LONGEST };
const THIRD: ChunkRule = { sentence: 1, clause: 60, phrase: 120, word: 160, maximum: LONGEST };
const FURTHER: ChunkRule = { sentence: 1, clause: 160, maximum: LONGEST };

/** Two or three words: half a second of speech, in which the second chunk is synthesised. */
const FEW_WORDS: ChunkRule = { sentence: 1, clause: 8, phrase: 10, word: 12, maximum: LONGEST };
/** A short clause, or the first phrase. */
const PHRASE: ChunkRule = { sentence: 1, clause: 16, phrase: 16, word: 28, maximum: LONGEST };
/** A clause that can stand alone, or about half of a sentence. */
const CLAUSE: ChunkRule = { sentence: 1, clause: 33, phrase: 40, word: 44, maximum: LONGEST };

/**
 * The service promises that level 1 gives half and level 2 three quarters of level 3's gain in
 * time to first audio. Who hears a sentence begin does not know its length, so no cut gives the same
 * fraction of all: `CLAUSE` and `PHRASE` are those that err least on four kinds of replies, in
 * test/unit/synthesis/text/chunk-policy.test.ts. To retune, put the measured cost of a first chunk
 * there and move the two until its bounds hold again.
 */
const LEVELS: Readonly<Record<LatencyLevel, Pick<ChunkPolicy, 'first' | 'later'>>> = {
  0: { first: SENTENCES, later: [SENTENCES] },
  1: { first: CLAUSE, later: [THIRD, FURTHER] },
  2: { first: PHRASE, later: [SECOND, THIRD, FURTHER] },
  3: { first: FEW_WORDS, later: [SECOND, THIRD, FURTHER] },
  // Level 4 leaves out the normaliser, not more of the phrasing.
  4: { first: FEW_WORDS, later: [SECOND, THIRD, FURTHER] },
};

/** @returns the chunking of one latency level. */
export function policyForLevel(level: LatencyLevel): ChunkPolicy {
  return { measure: 'speech', ...LEVELS[level] };
}

/** The service's own default schedule. */
const DEFAULT_CHUNK_LENGTH_SCHEDULE: readonly number[] = [120, 160, 250, 290];

/**
 * The API's `chunk_length_schedule`: the n-th number is how many new characters must be waiting
 * before the n-th chunk is made; the last repeats.
 * @param lengths at least one number; each is held within the API's 50–500.
 */
export function policyForSchedule(
  lengths: readonly number[] = DEFAULT_CHUNK_LENGTH_SCHEDULE,
): ChunkPolicy {
  const rules = lengths.map((length) => ({ maximum: Math.min(500, Math.max(50, length)) }));
  const [first = { maximum: 120 }, ...rest] = rules;
  return { measure: 'characters', first, later: rest.length === 0 ? [first] : rest };
}

/**
 * The API's `auto_mode`: each fragment is spoken when it arrives. Senders of sentences and phrases
 * are heard at once; a sender of bare tokens ("Hel", "lo", " world") is heard by whole words, a few
 * at a time, because the service's own one clip a token doubles the length of the speech.
 */
export function policyForAutoMode(): ChunkPolicy {
  const rule = { sentence: 1, maximum: LONGEST };
  return {
    measure: 'speech',
    first: { ...rule, fragment: 8 },
    later: [{ ...rule, fragment: 24 }],
  };
}

/**
 * The API's buffering of dialogues: a speaker's words are spoken from about 40 characters and 8 words
 * on, or from the end of a shorter sentence.
 */
export function policyForDialogue(): ChunkPolicy {
  const first: ChunkRule = { sentence: 1, clause: 40, phrase: 40, word: 40, maximum: LONGEST };
  return { measure: 'speech', first, later: [THIRD, FURTHER] };
}
