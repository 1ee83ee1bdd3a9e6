import { resolve } from 'node:path';

// Readers of settings: each takes the text of a variable, and throws the end of "VARIABLE …".

/** One setting: where it is read, what it means, and how. */
export interface Setting<T> {
  /** The environment variable. */
  readonly variable: string;
  readonly description: string;
  /** As the documentation prints it; an empty variable counts as absent. */
  readonly defaultText: string;
  readonly absent: T;
  /** @throws Error that completes the sentence "VARIABLE …". */
  readonly parse: (text: string) => T;
}

/** One of several places where the same service is reached. */
export interface Region {
  readonly name: string;
  readonly baseUrl: string;
}

export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (number >= low && number <= high) return number;
    throw new Error(`must be a whole number from ${low} to ${high}, not "${text}".`);
  };
}

export function nonBlank(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new Error('must not be blank.');
}

export function list(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Without the slash at its end, so that paths can be put behind it. */
export function webAddress(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const isBare = url && url.username === '' && url.search === '' && url.hash === '';
  if (isBare && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/+$/, '');
  throw new Error(`must be an http or https address without a query, not "${text}".`);
}

export function regionList(text: string): readonly Region[] {
  return list(text).map((entry) => {
    const [, name = '', address = ''] = /^([\w-]+)=(.+)$/.exec(entry) ?? [];
    if (name === '') throw new Error(`must list regions as name=https://…, not "${entry}".`);
    return { name, baseUrl: webAddress(address) };
  });
}

/** Voice ids, each with the id or name of the voice that answers to it. */
export function voiceAliasList(text: string): ReadonlyMap<string, string> {
  return new Map(
    list(text).map((entry) => {
      const [, alias = '', target = ''] = /^([\w-]{1,64})\s*=\s*(.+)$/.exec(entry) ?? [];
      if (alias !== '') return [alias, target];
      throw new Error(`must list voice ids as id=voice, separated by commas, not "${entry}".`);
    }),
  );
}

export function trueOrFalse(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error('must be true or false.');
}

export function path(text: string): string {
  return resolve(nonBlank(text));
}

/** Keys travel in headers, where only visible ASCII is safe. The value itself is never repeated. */
export function headerSafeKey(text: string): string {
  if (/^[\x21-\x7e]{8,200}$/.test(text)) return text;
  throw new Error('must be 8 to 200 visible ASCII characters without spaces.');
}

/** One of some words, in any case. */
export function oneOf<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((known) => known === text.trim().toLowerCase());
    if (word) return word;
    throw new Error(`must be one of ${words.join(', ')}, not "${text}".`);
  };
}

/** Origins as browsers send them: scheme, host and perhaps a port. */
export function originList(text: string): readonly string[] {
  return list(text).map((entry) => {
    const url = URL.canParse(entry) ? new URL(entry) : undefined;
    if (url && url.origin !== 'null' && url.href === `${url.origin}/`) return url.origin;
    throw new Error(`must list origins such as https://app.example.com, not "${entry}".`);
  });
}
