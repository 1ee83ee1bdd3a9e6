import { isSecretName } from '../../api/identity/key-places.ts';
import type { CallStart } from '../calls/carrier.ts';

type Parameters = CallStart['parameters'];

/** What dialplans and metadata call the carrier's id of a call. */
const CALL_ID_NAMES = ['call_id', 'callId', 'call_sid', 'callSid', 'call_uuid', 'uuid'];

/** Every value as text: numbers and the like as JSON writes them; null and undefined left out. */
export function parametersOf(values: Readonly<Record<string, unknown>>): Parameters {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/**
 * Parameters that came in the address of a media stream.
 * @param ours names that this server has a use for itself, such as `rate`.
 */
export function queryParameters(
  query: Readonly<Record<string, unknown>>,
  ours: readonly string[] = [],
): Parameters {
  const isPassedOn = ([name]: readonly [string, unknown]) =>
    !isSecretName(name) && !ours.includes(name);
  return parametersOf(Object.fromEntries(Object.entries(query).filter(isPassedOn)));
}

/**
 * Who calls whom, for carriers that tell it only if the set-up of the stream passed it along;
 * `parameters` are all the others.
 */
export function partiesOf(
  parameters: Parameters,
): Pick<CallStart, 'carrierCallId' | 'from' | 'to' | 'parameters'> {
  const idName = CALL_ID_NAMES.find((name) => parameters[name] !== undefined);
  const { from, to, ...others } = parameters;
  return {
    carrierCallId: idName === undefined ? undefined : parameters[idName],
    from,
    to,
    parameters: others,
  };
}

/** One value of a query, of which there may be several. */
export function queryText(
  query: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = query[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}
