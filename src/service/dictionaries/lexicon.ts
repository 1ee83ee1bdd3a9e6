/** Namespace of the Pronunciation Lexicon Specification 1.0 (www.w3.org/TR/pronunciation-lexicon). */
export const LEXICON_NAMESPACE = 'http://www.w3.org/2005/01/pronunciation-lexicon';
/** Of the attributes that carry what the specification has no word for; other readers ignore them. */
export const OPTIONS_NAMESPACE = 'urn:sidetone:lexicon';

/** The names of a rule's options on a `lexeme`, in that namespace. True unless they say otherwise. */
export const OPTION_NAMES = {
  caseSensitive: 'case-sensitive',
  wordBoundaries: 'word-boundaries',
} as const;
