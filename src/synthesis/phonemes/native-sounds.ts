import { soundsOf } from './espeak-output.ts';
import { scriptsOf } from './script-runs.ts';

/**
 * What stands in for a sound in a language that lacks it, the best first, as speakers adapt loanwords:
 * how a sound is made counts more than where. A sound with nothing, or that is not here, is left out.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  ...{ c: 'k', ɟ: 'ɡ', q: 'k', ɢ: 'ɡ', ʈ: 't', ɖ: 'd', ɓ: 'b', ɗ: 'd', ɠ: 'ɡ' },
  ...{ ɸ: 'f', β: 'vb', θ: 's', ð: 'dz', ʂ: 'ʃ', ʐ: 'ʒʃ', ɕ: 'ʃ', ʑ: 'ʒʃ', ç: 'ʃx', ʝ: 'j' },
  ...{ x: 'χhk', χ: 'xhk', ɣ: 'ɡ', ʁ: 'ɹrɾ', ħ: 'hx', ɦ: 'hx', h: 'xʁ', ʃ: 's', ʒ: 'ʃz' },
  ...{ z: 's', v: 'wf', ɬ: 'l', ɮ: 'l', ɱ: 'm', ɳ: 'n', ɲ: 'n', ŋ: 'n', ɴ: 'ŋn', ɭ: 'l', ʎ: 'l' },
  ...{
    ʟ: 'l',
    ɫ: 'l',
    l: 'ɫ',
    ɾ: 'rɹʁ',
    ɽ: 'ɾrɹ',
    ɺ: 'ɾrl',
    r: 'ɹɾʁ',
    ʀ: 'ʁrɹ',
    ɹ: 'rɾʁ',
    ɻ: 'ɹr',
  },
  ...{ ʋ: 'vw', w: 'vu', ɥ: 'jw', ɰ: 'w', j: 'i' },
  ...{ a: 'ɑæɐʌ', ɑ: 'aɒɔæ', ɒ: 'ɔɑoa', æ: 'aɛɑ', ɐ: 'ʌaə', ʌ: 'aɐɑə', ɶ: 'aɑ', e: 'ɛɪi', ɛ: 'eæ' },
  ...{ ø: 'œəe', œ: 'øəɛ', ɞ: 'ɜə', ɜ: 'əœɛe', ə: 'ɐʌaɛe', ɘ: 'əɪ', ɵ: 'əʊ', ɤ: 'əʌʊo', ɚ: 'ɜəɐ' },
  ...{
    i: 'ɪ',
    ɪ: 'ie',
    ᵻ: 'ɪi',
    ɨ: 'ɪi',
    y: 'uʊi',
    ʏ: 'ʊuɪi',
    o: 'ɔʊɒ',
    ɔ: 'oɒɑa',
    u: 'ʊ',
    ʊ: 'u',
  },
  ...{ ʉ: 'uʊ', ɯ: 'uʊ', ɝ: 'ɜəɐ' },
};
/** Words, stress and length, which every voice has learnt. */
const ALWAYS_NATIVE: ReadonlySet<string> = new Set([' ', 'ˈ', 'ˌ', 'ː']);

const CONSONANTS = [
  ...'bcdfghjklmnpqrstvwxyz',
  'ch',
  'sh',
  'th',
  'zh',
  'ng',
  'nh',
  'lh',
  'ss',
  'tt',
];
const VOWELS = [
  ...'aeiouy',
  'ee',
  'oo',
  'ou',
  'ai',
  'au',
  'er',
  'ar',
  'or',
  'ir',
  'eu',
  'an',
  'on',
];
/** The alphabets whose letters are few enough to be tried one by one. */
const LETTERS: Readonly<Record<string, string>> = {
  Cyrillic: 'абвгґдђеёєжзиіїйјклљмнњопрстћуўфхцчџшщъыьэюя',
  Greek: 'αβγδεζηθικλμνξοπρστυφχψω',
  Hebrew: 'אבגדהוזחטיכלמנסעפצקרשת',
  Georgian: 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
};

/**
 * Lines of text in which nearly every sound of a language comes up: the syllables that Latin letters
 * make, and its own letters. Undefined for languages whose script has too many of these.
 */
export function probeLines(language: string): readonly string[] | undefined {
  const alphabets = scriptsOf(language)?.map((script) => LETTERS[script]);
  if (!alphabets || alphabets.includes(undefined)) return undefined;
  return [
    CONSONANTS.map((consonant) => `${consonant}a a${consonant}i ${consonant}e`).join(' '),
    VOWELS.map((vowel) => `t${vowel} t${vowel}te n${vowel}n`).join(' '),
    ...alphabets.map((alphabet) => [...(alphabet ?? '')].join(' ')),
  ];
}

/**
 * The sounds that stand alone in a language: English has the `a` of `aɪ`, and no other.
 * @param outputs espeak-ng's, of the language's `probeLines`.
 */
export function soundsHeardIn(outputs: readonly string[]): ReadonlySet<string> {
  const sounds = outputs.flatMap(soundsOf);
  return new Set(sounds.filter((sound) => [...sound].length === 1));
}

/**
 * Says foreign sounds with those that a language has, and that a voice of it has learnt.
 * @param native as `soundsHeardIn` tells them.
 */
export function nativeSounds(
  symbols: readonly string[],
  native: ReadonlySet<string>,
): readonly string[] {
  return symbols.flatMap((symbol) => {
    if (native.has(symbol) || ALWAYS_NATIVE.has(symbol)) return [symbol];
    const standIn = [...(STAND_INS[symbol] ?? '')].find((sound) => native.has(sound));
    return standIn === undefined ? [] : [standIn];
  });
}
