/** How a currency and its hundredth are named, each in singular and plural. */
export interface Currency {
  readonly one: string;
  readonly many: string;
  /** Undefined where prices have no second unit. */
  readonly cent?: string;
  readonly cents?: string;
}

const currency = (one: string, many: string, cent?: string, cents?: string): Currency =>
  cent === undefined || cents === undefined ? { one, many } : { one, many, cent, cents };

const DOLLAR = currency('dollar', 'dollars', 'cent', 'cents');
const EURO = currency('euro', 'euros', 'cent', 'cents');
const POUND = currency('pound', 'pounds', 'penny', 'pence');
const YEN = currency('yen', 'yen');
const RUPEE = currency('rupee', 'rupees', 'paisa', 'paise');

const dollarsOf = (country: string): Currency =>
  currency(`${country} dollar`, `${country} dollars`, 'cent', 'cents');

/** By sign, before the amount. */
export const CURRENCY_SIGNS: ReadonlyMap<string, Currency> = new Map([
  ['$', DOLLAR],
  ['US$', dollarsOf('U.S.')],
  ['CA$', dollarsOf('Canadian')],
  ['C$', dollarsOf('Canadian')],
  ['A$', dollarsOf('Australian')],
  ['AU$', dollarsOf('Australian')],
  ['NZ$', dollarsOf('New Zealand')],
  ['HK$', dollarsOf('Hong Kong')],
  ['€', EURO],
  ['£', POUND],
  ['¥', YEN],
  ['₹', RUPEE],
  ['₩', currency('won', 'won')],
  ['₽', currency('ruble', 'rubles', 'kopek', 'kopeks')],
]);

/** By ISO 4217 code, on either side of the amount. */
export const CURRENCY_CODES: ReadonlyMap<string, Currency> = new Map([
  ['USD', currency('U.S. dollar', 'U.S. dollars', 'cent', 'cents')],
  ['EUR', EURO],
  ['GBP', POUND],
  ['JPY', YEN],
  ['CAD', dollarsOf('Canadian')],
  ['AUD', dollarsOf('Australian')],
  ['NZD', dollarsOf('New Zealand')],
  ['CHF', currency('Swiss franc', 'Swiss francs')],
  ['INR', RUPEE],
  ['MXN', currency('Mexican peso', 'Mexican pesos')],
  ['CNY', currency('yuan', 'yuan')],
]);
