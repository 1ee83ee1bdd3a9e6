import { anyOf, type Rule, rule, WORD_END } from '../rule.ts';
import { wordPairs } from '../word-pairs.ts';
import { sentenceStop } from './sentence-stop.ts';

/** Before a name; their full stop, if any, never ends a sentence. */
const TITLES = wordPairs(
  'Mr Mister|Mrs Missus|Ms Miz|Dr Doctor|Prof Professor|Sgt Sergeant|Lt Lieutenant|Capt Captain|Maj Major|Rev Reverend|Hon Honorable',
);
/** The same, but words of their own without the full stop. */
const STOPPED_TITLES = wordPairs(
  'Col Colonel|Gen General|Gov Governor|Sen Senator|Rep Representative|Pres President|Mt Mount|Ft Fort|Fr Father|Atty Attorney',
);
/** Only with the full stop: without it these are other words ("no", "est"). */
const STOPPED = wordPairs(
  'etc et cetera|approx approximately|Approx Approximately|dept department|Dept Department|govt government|Govt Government|' +
    'appt appointment|Appt Appointment|Inc Incorporated|Ltd Limited|Corp Corporation|Co Company|Bros Brothers|Jr Junior|Sr Senior|Esq Esquire|' +
    'misc miscellaneous|avg average|Avg Average|incl including|excl excluding|vs versus|tel telephone|Tel Telephone|Assn Association|' +
    'Univ University|Intl International|mgr manager|Mgr Manager|asst assistant|Asst Assistant|hosp hospital|Hosp Hospital',
);
/** Before a figure or letter: "Apt. 4B", "No. 5", "Fig. 2". */
const NUMBERED = wordPairs(
  'Apt Apartment|apt apartment|Ste Suite|ste suite|Rm Room|rm room|Fl Floor|Bldg Building|bldg building|No number|no number|Nos numbers|nos numbers|' +
    'p page|pp pages|Fig Figure|fig figure|Vol Volume|vol volume|Ch Chapter|ch chapter|Sec Section|sec section|Ext extension|ext extension|Rte Route|Hwy Highway',
);
/** As they stand. */
const DOTTED = wordPairs(
  'e.g. for example|E.g. For example|i.e. that is|I.e. That is|a.k.a. also known as|w.r.t. with respect to|Ph.D. P H D|Ph.D P H D',
);
const UNDOTTED = wordPairs(
  'vs versus|etc et cetera|approx approximately|appt appointment|hwy highway|Hwy Highway|blvd boulevard',
);

/** Titles, businesses and everyday abbreviations. */
export const abbreviationRules: readonly Rule[] = [
  rule('letter', anyOf(DOTTED.keys()), ([short]) => DOTTED.get(short)),
  rule(
    'letter',
    `(${anyOf(NUMBERED.keys())})\\. ?(?=#?(?:[0-9]|(?<=(?:Apt|Ste|Rm|Bldg|Fig)\\. ?)[A-Z]${WORD_END}))`,
    ([, short = '']) => `${NUMBERED.get(short)} `,
  ),
  rule(
    'letter',
    `(${anyOf(['Apt', 'Ste', 'Bldg', 'Rm', 'Ext', 'ext', 'apt', 'rm'])}) (?=#?[0-9])`,
    ([, short = '']) => `${NUMBERED.get(short)} `,
  ),
  rule(
    'letter',
    `(${anyOf(TITLES.keys())})(?:\\.|${WORD_END})(?= ?["'“]?\\p{Lu})(?: ?)`,
    ([, short = '']) => `${TITLES.get(short)} `,
  ),
  rule(
    'letter',
    `(${anyOf(STOPPED_TITLES.keys())})\\. ?(?=\\p{Lu}\\p{Ll})`,
    ([, short = '']) => `${STOPPED_TITLES.get(short)} `,
  ),
  rule(
    'letter',
    `(${anyOf(TITLES.keys())})\\.`,
    (match) => `${TITLES.get(match[1] ?? '')}${sentenceStop(match)}`,
  ),
  rule(
    'letter',
    `(${anyOf(STOPPED.keys())})\\.`,
    (match) => `${STOPPED.get(match[1] ?? '')}${sentenceStop(match)}`,
  ),
  rule('letter', `(${anyOf(UNDOTTED.keys())})${WORD_END}`, ([, short = '']) => UNDOTTED.get(short)),
];
