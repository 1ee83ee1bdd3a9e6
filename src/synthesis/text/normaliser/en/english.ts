import type { Normaliser } from '../normaliser.ts';
import type { Rule } from '../rule.ts';
import { ruleNormaliser } from '../scanner.ts';
import { typographyRules } from '../typography.ts';
import { abbreviationRules } from './abbreviations.ts';
import { acronymRules } from './acronyms.ts';
import { addressRules } from './addresses.ts';
import { codeRules } from './codes.ts';
import { dateRules } from './dates.ts';
import { fractionRules } from './fractions.ts';
import { groupedDigitRules, idRules } from './ids.ts';
import { moneyRules } from './money.ts';
import { numberRules } from './numbers.ts';
import { rangeRules } from './ranges.ts';
import { romanRules } from './roman.ts';
import { symbolRules } from './symbols.ts';
import { telephoneRules } from './telephone.ts';
import { timeRules } from './times.ts';
import { unitRules } from './units.ts';
import { webRules } from './web.ts';

/** From the most to the least particular: the first that reads a stretch wins. */
export const englishRules: readonly Rule[] = [
  ...webRules,
  ...codeRules,
  ...telephoneRules,
  ...addressRules,
  ...dateRules,
  ...timeRules,
  ...moneyRules,
  ...unitRules,
  ...idRules,
  ...romanRules,
  ...abbreviationRules,
  ...acronymRules,
  ...fractionRules,
  ...groupedDigitRules,
  ...rangeRules,
  ...numberRules,
  ...typographyRules,
  ...symbolRules,
];

/** American English, for speech by telephone. */
export const english: Normaliser = ruleNormaliser('en', englishRules);
