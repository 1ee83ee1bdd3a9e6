import { GERMANIC } from './germanic-words.ts';
import { OTHER } from './other-words.ts';
import { ROMANCE } from './romance-words.ts';
import { SLAVIC } from './slavic-words.ts';
import type { LanguageWords } from './word-lists.ts';

/** How the dot of an abbreviation is to be read. */
type Abbreviation = 'beforeName' | 'beforeNumber' | 'either';

/** A language's words, ready to look up. */
export interface Lexicon {
  readonly language: string;
  readonly abbreviations: ReadonlyMap<string, Abbreviation>;
  readonly leaners: ReadonlySet<string>;
  readonly heads: ReadonlySet<string>;
  readonly trailers: ReadonlySet<string>;
  /** First letters of the trailers: any other letter tells at once that none begins. */
  readonly trailerInitials: ReadonlySet<string>;
  readonly ordinals: LanguageWords['ordinals'];
}

const LANGUAGES: Readonly<Record<string, LanguageWords>> = {
  ...GERMANIC,
  ...ROMANCE,
  ...SLAVIC,
  ...OTHER,
};

/**
 * A text may be in another language than it is said to be, and is read in the one it is written
 * in: one language a script is known always, which costs nothing because scripts share no words.
 */
const ONE_A_SCRIPT: readonly string[] = ['zh', 'ko', 'ta', 'hi', 'ar', 'el', 'ru', 'en'];
const SHARED_SCRIPTS: ReadonlyArray<readonly string[]> = [
  'en de nl sv da fr es it pt ro pl cs sk hr fi tr id ms fil'.split(' '),
  'ru uk bg'.split(' '),
];

const ALIASES: Readonly<Record<string, string>> = { tl: 'fil', cmn: 'zh' };

const lexicons = new Map<string, Lexicon>();

/**
 * @param tag a BCP 47 tag such as `pt-BR`; absent or unknown, the text is read by its script, and
 *   Latin letters as English.
 */
export function lexiconOf(tag: string | undefined): Lexicon {
  const subtag = (tag ?? '').toLowerCase().split(/[-_]/u)[0] ?? '';
  const alias = ALIASES[subtag] ?? subtag;
  const language = Object.hasOwn(LANGUAGES, alias) ? alias : '';
  const known = lexicons.get(language);
  if (known !== undefined) return known;
  const made = makeLexicon(language);
  lexicons.set(language, made);
  return made;
}

function makeLexicon(language: string): Lexicon {
  const read = languagesReadAs(language).flatMap((one) => LANGUAGES[one] ?? []);
  const words = (of: (language: LanguageWords) => string | undefined) =>
    read.flatMap((one) => (of(one) ?? '').split(' ')).filter((word) => word !== '');
  const heads = words((one) => one.heads);
  const trailers = words((one) => one.trailers);
  const readings = ['beforeNumber', 'either', 'beforeName'] as const;
  return {
    language,
    abbreviations: new Map(
      readings.flatMap((reading) =>
        words((one) => one[reading]).map((word) => [word, reading] as const),
      ),
    ),
    leaners: new Set([...heads, ...words((one) => one.determiners)]),
    heads: new Set(heads),
    trailers: new Set(trailers),
    trailerInitials: new Set(trailers.map((word) => [...word][0] ?? '')),
    ordinals: LANGUAGES[language]?.ordinals,
  };
}

/** The languages whose words apply, the decisive one last. */
function languagesReadAs(language: string): readonly string[] {
  const sameScript = SHARED_SCRIPTS.find((script) => script.includes(language)) ?? [language];
  return [...ONE_A_SCRIPT.filter((one) => !sameScript.includes(one)), language];
}
