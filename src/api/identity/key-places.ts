import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../../domain/account.ts';

/** A family of routes that searches the same places for a key. */
export type Door = 'rest' | 'socket' | 'carrier' | 'cartesia';

/**
 * What stands in a place. `authorization` is a key behind "Bearer" or "Token", or as the password of
 * "Basic"; `subprotocols` are a word and the key behind it.
 */
type Form = 'plain' | 'authorization' | 'subprotocols';

/** A place in a request where a key or a token may stand. */
export interface KeyPlace {
  /** Its name in the documents. */
  readonly scheme: string;
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly form: Form;
  readonly description: string;
}

/** The part of a request that a key may stand in. */
export interface KeyedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: unknown;
}

const keyHeader: KeyPlace = {
  scheme: 'apiKey',
  in: 'header',
  name: 'xi-api-key',
  form: 'plain',
  description: 'The usual place.',
};
const bearer: KeyPlace = {
  scheme: 'bearer',
  in: 'header',
  name: 'authorization',
  form: 'authorization',
  description:
    'After the word Bearer or Token, which may be left out; or as the password of Basic, or its user name.',
};
const keyQuery: KeyPlace = {
  scheme: 'keyQuery',
  in: 'query',
  name: 'xi-api-key',
  form: 'plain',
  description: 'For browsers, which cannot set headers on a websocket.',
};
const underscoredKeyQuery: KeyPlace = {
  ...keyQuery,
  scheme: 'underscoredKeyQuery',
  name: 'xi_api_key',
  description: 'Likewise, as some clients spell it.',
};
const authorizationQuery: KeyPlace = {
  scheme: 'authorizationQuery',
  in: 'query',
  name: 'authorization',
  form: 'authorization',
  description: 'Likewise, with or without "Bearer " before the key.',
};
const subprotocol: KeyPlace = {
  scheme: 'subprotocol',
  in: 'header',
  name: 'sec-websocket-protocol',
  form: 'subprotocols',
  description: 'As the second of two subprotocols, the first being token or bearer: for browsers.',
};
const carrierQuery: KeyPlace = {
  scheme: 'carrierKeyQuery',
  in: 'query',
  name: 'api_key',
  form: 'plain',
  description: 'For carriers, which send no headers of their own.',
};
const carrierHeader: KeyPlace = {
  scheme: 'carrierKeyHeader',
  in: 'header',
  name: 'x-api-key',
  form: 'plain',
  description: "Genesys's name for the header.",
};
const cartesiaHeader: KeyPlace = {
  ...carrierHeader,
  scheme: 'cartesiaKeyHeader',
  description: "Cartesia's name for the header.",
};
const cartesiaQuery: KeyPlace = {
  ...carrierQuery,
  scheme: 'cartesiaKeyQuery',
  description: 'For browsers, as clients of Cartesia spell it.',
};
const singleUseToken: KeyPlace = {
  scheme: 'singleUseToken',
  in: 'query',
  name: 'single_use_token',
  form: 'plain',
  description:
    'In place of a key, to be given away: a token of POST /v1/single-use-token/{token_type}, good for one connection within fifteen minutes.',
};
const carrierToken: KeyPlace = {
  ...singleUseToken,
  scheme: 'carrierToken',
  name: 'token',
  description: 'In place of a key: the token of a call set-up document.',
};
const cartesiaToken: KeyPlace = {
  ...singleUseToken,
  scheme: 'cartesiaToken',
  name: 'access_token',
  description:
    'In place of a key, from browsers: a single-use token, as clients of Cartesia spell it.',
};

/** Where each door looks for a key. The first place that has one counts. */
export const KEY_PLACES: Readonly<Record<Door, readonly KeyPlace[]>> = {
  rest: [keyHeader, bearer],
  socket: [keyHeader, bearer, keyQuery, underscoredKeyQuery, authorizationQuery, subprotocol],
  carrier: [carrierQuery, keyQuery, keyHeader, carrierHeader, bearer],
  cartesia: [cartesiaHeader, bearer, cartesiaQuery, keyHeader],
};

/** Where each door looks for a single-use token. */
export const TOKEN_PLACES: Readonly<Record<Door, readonly KeyPlace[]>> = {
  rest: [],
  socket: [singleUseToken],
  carrier: [carrierToken, singleUseToken],
  cartesia: [cartesiaToken, singleUseToken],
};

/** The fields of a message that a key or a token may stand in, whichever end sends the message. */
const MESSAGE_FIELDS: Readonly<Record<string, { is: keyof Credentials; form: Form }>> = {
  xi_api_key: { is: 'key', form: 'plain' },
  'xi-api-key': { is: 'key', form: 'plain' },
  api_key: { is: 'key', form: 'plain' },
  authorization: { is: 'key', form: 'authorization' },
  token: { is: 'token', form: 'plain' },
  single_use_token: { is: 'token', form: 'plain' },
};

/** What a request carries when it comes in. */
export function requestCredentials(request: KeyedRequest, door: Door): Credentials {
  return {
    key: firstIn(KEY_PLACES[door], request),
    token: firstIn(TOKEN_PLACES[door], request),
  };
}

/**
 * What a message carries: the first frame of a websocket, or the parameters of a media stream.
 * @param fields the names in any case; where several have a key, the first of the table counts.
 */
export function messageCredentials(fields: Readonly<Record<string, unknown>>): Credentials {
  const found: { key: string | undefined; token: string | undefined } = {
    key: undefined,
    token: undefined,
  };
  // Of names that differ in case alone, the first counts.
  const entries = Object.entries(fields).toReversed();
  const given = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, { is, form }] of Object.entries(MESSAGE_FIELDS)) {
    found[is] ??= secretIn(given.get(name), form);
  }
  return found;
}

/** Whether a field or a query parameter of this name holds a secret, wherever it comes. */
export function isSecretName(name: string): boolean {
  return Object.hasOwn(MESSAGE_FIELDS, name.toLowerCase());
}

function firstIn(places: readonly KeyPlace[], { headers, query }: KeyedRequest) {
  const given = query as Readonly<Record<string, unknown>>;
  for (const { in: place, name, form } of places) {
    const secret = secretIn(place === 'header' ? headers[name] : given[name], form);
    if (secret !== undefined) return secret;
  }
  return undefined;
}

/** Of a value that is repeated, the last; an empty one counts as absent. */
function secretIn(value: unknown, form: Form): string | undefined {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  if (typeof last !== 'string' || last === '') return undefined;
  return KEY_READERS[form](last) || undefined;
}

/** How the key is taken out of what stands in a place. */
const KEY_READERS: Readonly<Record<Form, (value: string) => string | undefined>> = {
  plain: (value) => value,
  authorization: authorizationKey,
  subprotocols: (value) => /^(?:token|bearer)\s*,\s*([^\s,]+)\s*$/i.exec(value)?.[1],
};

/**
 * The key in a value of `Authorization`. Asterisk, Exotel and mod_audio_fork can send nothing but a
 * user name and a password: the password is the key then, or the name where there is none. The space
 * after "Bearer" is missing in what some versions of jambonz send.
 */
function authorizationKey(value: string): string {
  const [, basic] = /^Basic\s+(\S+)\s*$/i.exec(value) ?? [];
  if (basic === undefined) return value.replace(/^(?:Bearer\s*|Token\s+)/i, '');
  const [name = '', ...password] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return password.join(':') || name;
}
