/**
 * Which languages a phonemiser reads in which script, by ISO 639 code. Every language reads Latin
 * letters too: espeak-ng switches to English for them.
 */
const READERS: Readonly<Record<string, string>> = {
  Latin:
    'af ca cs cy da de en es et eu fi fil fr ga hr hu id is it lb lt lv ms mt nb nl no pl pt ro sk ' +
    'sl sq sv sw tl tr vi',
  Cyrillic: 'be bg kk ky mk ru sr uk',
  Greek: 'el grc',
  Arabic: 'ar fa sd ug ur',
  Hebrew: 'he',
  Devanagari: 'hi mr ne',
  Bengali: 'as bn',
  Gurmukhi: 'pa',
  Gujarati: 'gu',
  Tamil: 'ta',
  Telugu: 'te',
  Kannada: 'kn',
  Malayalam: 'ml',
  Sinhala: 'si',
  Thai: 'th',
  Myanmar: 'my',
  Georgian: 'ka',
  Armenian: 'hy hyw',
  Ethiopic: 'am ti',
  Hangul: 'ko',
  Hiragana: 'ja',
  Katakana: 'ja',
  Han: 'cmn hak ja ko yue zh',
};

/**
 * Who reads a script within other text: the first language whose letters occur, the last one
 * otherwise. espeak-ng knows Thai and Burmese too, but swallows their vowels: they are transliterated.
 */
const FOREIGN_READERS: Readonly<Record<string, ReadonlyArray<readonly [string, RegExp]>>> = {
  Cyrillic: [
    ['uk', /[іїєґ]/iu],
    ['be', /ў/iu],
    ['sr', /[ђћџљњј]/iu],
    ['ru', /./u],
  ],
  Greek: [['el', /./u]],
  Arabic: [
    ['ur', /[ٹڈڑےں]/u],
    ['fa', /[پچژگ]/u],
    ['ar', /./u],
  ],
  Hebrew: [['he', /./u]],
  Devanagari: [['hi', /./u]],
  Bengali: [['bn', /./u]],
  Gurmukhi: [['pa', /./u]],
  Gujarati: [['gu', /./u]],
  Tamil: [['ta', /./u]],
  Telugu: [['te', /./u]],
  Kannada: [['kn', /./u]],
  Malayalam: [['ml', /./u]],
  Sinhala: [['si', /./u]],
  Georgian: [['ka', /./u]],
  Armenian: [['hy', /./u]],
  Ethiopic: [['am', /./u]],
  Hangul: [['ko', /./u]],
  Hiragana: [['ja', /./u]],
  Katakana: [['ja', /./u]],
  Han: [['cmn', /./u]],
};
const SCRIPTS = Object.keys(FOREIGN_READERS).map(
  (script) => [script, new RegExp(`\\p{scx=${script}}`, 'u')] as const,
);

/** A stretch of text that one phonemiser reads. */
export interface ScriptRun {
  readonly text: string;
  /**
   * espeak-ng's voice name; `own` is the voice's own language, `none` is a script that no language
   * here reads.
   */
  readonly reader: string;
}

const ASCII_ONLY = /^\p{ASCII}*$/u;
const OWN: Pick<ScriptRun, 'reader'> = { reader: 'own' };
/** A Greek letter by itself is a symbol: each language has its own name for it. */
const SYMBOL = /^\p{sc=Greek}\p{M}*$/u;

const foreignWords = new Map<string, RegExp | undefined>();

/**
 * Cuts a text where its script changes to one that a language does not write, and back. Joined, the
 * runs are the text. Of a language that the table does not know, every script is its own.
 *
 * @param language espeak-ng's voice name, such as `en-us`.
 */
export function scriptRuns(text: string, language: string): readonly ScriptRun[] {
  const foreign = ASCII_ONLY.test(text) ? undefined : foreignWordsOf(language);
  if (!foreign) return [{ text, ...OWN }];
  const runs: ScriptRun[] = [];
  const addOwn = (start: number, end: number) => {
    if (end > start) runs.push({ text: text.slice(start, end), ...OWN });
  };
  let done = 0;
  for (const { 0: words, index } of text.matchAll(foreign)) {
    addOwn(done, index);
    runs.push(...singleScripts(words));
    done = index + words.length;
  }
  addOwn(done, text.length);
  return runs;
}

/** The scripts other than Latin that a language is written in; undefined where that is not known. */
export function scriptsOf(language: string): readonly string[] | undefined {
  const code = language.toLowerCase().split(/[-_]/u)[0] ?? '';
  const own = Object.keys(READERS).filter((script) => READERS[script]?.split(' ').includes(code));
  return own.length === 0 ? undefined : own.filter((script) => script !== 'Latin');
}

/** Words of letters that a language does not write, with what joins and divides such words. */
function foreignWordsOf(language: string): RegExp | undefined {
  if (foreignWords.has(language)) return foreignWords.get(language);
  const own = scriptsOf(language);
  const readable = own && ['Latin', ...own].map((script) => `\\p{scx=${script}}`).join('');
  const letter = `(?![\\p{sc=Common}\\p{sc=Inherited}${readable}])\\p{L}[\\p{M}\\u200c\\u200d]*`;
  const words = own && new RegExp(`${letter}(?:[ \\u00a0'’-]?${letter})*`, 'gu');
  foreignWords.set(language, words);
  return words;
}

function singleScripts(words: string): ScriptRun[] {
  const runs: Array<{ text: string; script: string | undefined }> = [];
  for (const character of words) {
    const last = runs.at(-1);
    const script = /\p{L}/u.test(character) ? scriptOf(character) : last?.script;
    if (last && last.script === script) last.text += character;
    else runs.push({ text: character, script });
  }
  return runs.map(({ text, script }) => ({ text, reader: readerOf(text, script) }));
}

function scriptOf(letter: string): string | undefined {
  return SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0];
}

function readerOf(text: string, script: string | undefined): string {
  if (SYMBOL.test(text)) return OWN.reader;
  const readers = script === undefined ? [] : (FOREIGN_READERS[script] ?? []);
  return readers.find(([, letters]) => letters.test(text))?.[0] ?? 'none';
}
