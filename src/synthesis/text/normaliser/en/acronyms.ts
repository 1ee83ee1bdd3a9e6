import { anyOf, type Rule, rule, WORD_END } from '../rule.ts';
import { wordPairs } from '../word-pairs.ts';

/** Spelled by people, but read as words or Roman numerals by espeak-ng 1.52 (checked in a sentence). */
const SPELLED = anyOf('ETA OBGYN APR USPS COPD IV'.split(' '));

/** Words to people, but spelled by espeak-ng 1.52. */
const WORDS = wordPairs(
  'PIN pin|SIM sim|RAM ram|ROM rom|LAN lan|WAN wan|VIN vin|SKU skew|SaaS sass|VoIP voyp|AKA also known as|PINs pins|VINs vins|SKUs skews',
);

/** Only what a phonemiser reads wrongly; "FBI" and "NASA" stay, since it reads both as people do. */
export const acronymRules: readonly Rule[] = [
  rule('letter', `(${anyOf(WORDS.keys())})${WORD_END}`, ([, acronym = '']) => WORDS.get(acronym)),
  // Full stops make one word of the letters; one at a sentence's end is both, as in "p.m.".
  rule('letter', `(${SPELLED})${WORD_END}\\.?`, ([, acronym = '']) => `${[...acronym].join('.')}.`),
  // The plural's bare "s" is dropped by the phonemiser: "TVs" sounds like "TV", "TV's" does not.
  rule('letter', `([A-Z]{2,5})s${WORD_END}`, ([, acronym]) => `${acronym}'s`),
];
