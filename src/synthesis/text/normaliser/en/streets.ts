import { wordPairs } from '../word-pairs.ts';

/** Street suffixes (USPS Publication 28, appendix C), without full stop; "St" and "Dr" have other senses. */
export const STREET_SUFFIXES = wordPairs(
  'Ave Avenue|Av Avenue|Blvd Boulevard|Rd Road|Ln Lane|Ct Court|Pl Place|Cir Circle|Ter Terrace|Terr Terrace|Pkwy Parkway|' +
    'Hwy Highway|Sq Square|Trl Trail|Expy Expressway|Fwy Freeway|Tpke Turnpike|Plz Plaza|Aly Alley|Xing Crossing|St Street|Dr Drive',
);

/** The full words that may end a street's name, for telling house numbers from other figures. */
export const STREET_WORDS: readonly string[] = [
  ...new Set(STREET_SUFFIXES.values()),
  'Way',
  'Broadway',
  'Loop',
  'Row',
  'Path',
  'Walk',
  'Pike',
];

export const DIRECTIONS: ReadonlyMap<string, string> = new Map([
  ['N', 'North'],
  ['S', 'South'],
  ['E', 'East'],
  ['W', 'West'],
  ['NE', 'Northeast'],
  ['NW', 'Northwest'],
  ['SE', 'Southeast'],
  ['SW', 'Southwest'],
]);

/** Names that follow "Saint" in places and people. */
export const SAINTS: readonly string[] =
  'Louis Paul Petersburg Pete John Johns Mary Marys Francis James Patrick Patricks Thomas Joseph George Andrew Andrews Helens Helena Lucia Lucie Augustine Charles Cloud Albans Peter Peters Mark Marks Luke Lukes Jude Nicholas Nick Vincent Kitts Martin Croix Bernard Catherine Catharines Elizabeth Michael Anthony Anne Clair Ignatius Olaf Regis Tropez Moritz Stephen Simons Matthew Barnabas Agnes Teresa'.split(
    ' ',
  );
