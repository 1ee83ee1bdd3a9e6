import { type OutputFormat, parseOutputFormat } from '../../domain/audio.ts';
import { PhoneError } from './phone-error.ts';

/**
 * The format that a call is placed with.
 * @param names what the carrier has, by the names of this project; the first is its default.
 * @throws PhoneError `unsuitable` that lists them.
 */
export function chooseFormat(
  carrier: string,
  given: OutputFormat | undefined,
  names: readonly [string, ...string[]],
): OutputFormat {
  if (given === undefined) return parseOutputFormat(names[0]);
  if (names.includes(given.name)) return given;
  throw new PhoneError('unsuitable', `${carrier} has no ${given.name}: use ${names.join(', ')}.`);
}

/** One of a carrier's ways. @throws PhoneError `unsuitable` that lists them. */
export function chooseVariant<T extends string>(
  carrier: string,
  given: string | undefined,
  names: readonly [T, ...T[]],
): T {
  if (given === undefined) return names[0];
  const name = names.find((known) => known === given);
  if (name !== undefined) return name;
  throw new PhoneError(
    'unsuitable',
    `${carrier} has no variant "${given}": use ${names.join(' or ')}.`,
  );
}

/** For carriers that have only one way. @throws PhoneError `unsuitable`. */
export function refuseVariant(carrier: string, given: string | undefined): void {
  if (given === undefined) return;
  throw new PhoneError('unsuitable', `${carrier} has no variants: leave out --variant.`);
}

/** The parameters of a stream, with the key among them where it can travel nowhere else. */
export function keyedParameters(
  parameters: Readonly<Record<string, string>>,
  apiKey: string | undefined,
): Record<string, string> {
  return { ...parameters, ...(apiKey !== undefined && { api_key: apiKey }) };
}

/** For carriers that can send a user name and a password: the key is the password. */
export function basicAuthorization(apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`sidetone:${apiKey}`).toString('base64')}` };
}
