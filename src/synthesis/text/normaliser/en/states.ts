import { wordPairs } from '../word-pairs.ts';

const STATES_AND_TERRITORIES =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|GA Georgia|' +
  'HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|' +
  'MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|' +
  'NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|' +
  'RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|' +
  'WV West Virginia|WI Wisconsin|WY Wyoming|PR Puerto Rico';

/** By postal abbreviation (USPS Publication 28, appendix B). */
export const STATE_NAMES = wordPairs(STATES_AND_TERRITORIES);

/** Abbreviations that are words or titles as well: a state only before a ZIP code. */
export const AMBIGUOUS_STATES: ReadonlySet<string> = new Set([
  'OK',
  'HI',
  'OH',
  'ME',
  'ID',
  'MD',
  'PA',
  'IN',
  'OR',
  'PR',
  'DE',
  'LA',
]);
