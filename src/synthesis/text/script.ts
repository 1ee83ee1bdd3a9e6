import { SpeechError } from '../../domain/errors.ts';

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

/** The language that a script most often writes, where its name does not tell. */
const USUAL_LANGUAGE: Readonly<Record<string, string>> = {
  Cyrillic: 'Russian',
  Devanagari: 'Hindi',
  Hangul: 'Korean',
  Hiragana: 'Japanese',
  Katakana: 'Japanese',
  Han: 'Chinese or Japanese',
};

const ASCII_ONLY = /^\p{ASCII}*$/u;
/** Letters of a script at all: the long vowel mark `ー`, for one, belongs to several. */
const SCRIPT_LETTERS = /(?![\p{Script=Common}\p{Script=Inherited}])\p{L}/gu;
const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

const foreignLetters = new Map<string, RegExp>();

/**
 * Refuses text that the phonemiser would spell out letter by letter ("Cyrillic letter…"). A few
 * foreign words are let through. A language that the table does not know accepts every script.
 *
 * @param text one chunk, as spoken.
 * @param language the phonemiser's voice name, such as `en-us`.
 * @throws SpeechError `unsupported_script` when most letters are of scripts it cannot read.
 */
export function assertReadable(text: string, language: string): void {
  if (ASCII_ONLY.test(text)) return;
  const code = language.toLowerCase().split(/[-_]/u)[0] ?? '';
  const foreign = foreignLettersOf(code);
  if (!foreign) return;
  const foreignText = (text.match(foreign) ?? []).join('');
  if (foreignText === '') return;
  const letterCount = text.match(SCRIPT_LETTERS)?.length ?? 0;
  if (count(foreignText, /\p{L}/gu) * 2 <= letterCount) return;

  const speaks = LANGUAGE_NAMES.of(code) ?? code;
  const looksLike = nameOf(mainScript(foreignText));
  throw new SpeechError(
    'unsupported_script',
    `This voice speaks ${speaks}, but the text looks like ${looksLike}; choose a voice for that language.`,
    { param: 'text' },
  );
}

/** @returns undefined for a language that is in no row of the table. */
function foreignLettersOf(code: string): RegExp | undefined {
  const known = foreignLetters.get(code);
  if (known) return known;
  const own = Object.keys(READERS).filter((script) => READERS[script]?.split(' ').includes(code));
  if (own.length === 0) return undefined;
  const readable = ['Latin', ...own].map((script) => `\\p{scx=${script}}`).join('');
  const pattern = new RegExp(`(?![\\p{sc=Common}\\p{sc=Inherited}${readable}])\\p{L}`, 'gu');
  foreignLetters.set(code, pattern);
  return pattern;
}

function mainScript(letters: string): string | undefined {
  const counted = Object.keys(READERS).map((script) => ({
    script,
    letters: count(letters, new RegExp(`\\p{sc=${script}}`, 'gu')),
  }));
  const most = counted.reduce((best, one) => (one.letters > best.letters ? one : best));
  return most.letters > 0 ? most.script : undefined;
}

function nameOf(script: string | undefined): string {
  if (script === undefined) return 'a script that no voice here reads';
  const language = USUAL_LANGUAGE[script];
  return language === undefined ? script : `${script} script (${language})`;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
