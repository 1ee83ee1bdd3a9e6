import { Type } from 'typebox';
import { type KeySettings, SCOPES, type Scope } from '../../domain/account.ts';
import { isAddressRange } from '../../service/account/address-list.ts';
import { nullable, UnixSeconds } from '../http/reply-schemas.ts';

const MAX_ADDRESSES = 256;
/** The longest CIDR range: an IPv6 address with an IPv4 end, and three digits of prefix. */
const MAX_ADDRESS_LENGTH = 49;

export const KeyParams = Type.Object({
  api_key_id: Type.String({ description: 'The key; see GET /v1/workspace/api-keys.' }),
});

export const AccountQuery = Type.Object({
  account_id: Type.Optional(
    Type.String({
      description:
        "The account whose keys are meant: the caller's own unless given. Others only for keys of the default account.",
    }),
  ),
});

/** Two types in a list where null may come, because coercion would turn a lone null into something else. */
const restrictions = {
  scopes: Type.Optional(
    Type.Unsafe<Scope[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', enum: SCOPES },
      minItems: 1,
      description: 'Endpoints that the key may reach; all unless given, or when null.',
    }),
  ),
  character_limit: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Characters a month that the key may spend of its account's; no limit of its own unless given, or when null.",
    }),
  ),
  allowed_ips: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: MAX_ADDRESS_LENGTH },
      minItems: 1,
      maxItems: MAX_ADDRESSES,
      description:
        'IP addresses and CIDR ranges that the key may be used from; from anywhere unless given, or when null.',
      examples: [['203.0.113.7', '10.0.0.0/8', '2001:db8::/32']],
    }),
  ),
};
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What to call it.',
  examples: ['Support line bot'],
});

export const NewKeyBody = Type.Object({ name, ...restrictions });
export const KeyChangesBody = Type.Object({ name: Type.Optional(name), ...restrictions });

const keyFields = {
  api_key_id: Type.String(),
  name: Type.String(),
  last_four: Type.String({ description: 'The end of the secret.' }),
  created_at_unix: UnixSeconds('When it was made.'),
  scopes: nullable(
    Type.Unsafe<readonly Scope[]>({ type: 'array', items: { type: 'string', enum: SCOPES } }),
  ),
  character_limit: nullable(Type.Integer()),
  character_count: Type.Integer({ description: 'Characters that it has spent this month.' }),
  allowed_ips: nullable(
    Type.Unsafe<readonly string[]>({ type: 'array', items: { type: 'string' } }),
  ),
};

export const KeyRecord = Type.Object(keyFields, { title: 'ApiKey' });

export const KeyListRecord = Type.Object(
  { api_keys: Type.Array(KeyRecord) },
  { title: 'ApiKeyList' },
);

export const NewKeyRecord = Type.Object(
  { ...keyFields, api_key: Type.String({ description: 'The secret, shown only now.' }) },
  { title: 'NewApiKey' },
);

type WireKeySettings = Type.Static<typeof KeyChangesBody>;

/** Those settings that a body carries. */
export function settingsOf({
  name,
  scopes,
  character_limit,
  allowed_ips,
}: WireKeySettings): Partial<KeySettings> {
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: scopes ?? 'all' }),
    ...(character_limit !== undefined && { characterLimit: character_limit }),
    ...(allowed_ips !== undefined && { allowedAddresses: allowed_ips }),
  };
}

/**
 * What a schema cannot say.
 * @throws an error as Fastify's own validation throws it.
 */
export function assertAddressRanges({ allowed_ips }: WireKeySettings): void {
  const wrong = allowed_ips?.findIndex((entry) => !isAddressRange(entry)) ?? -1;
  if (wrong < 0) return;
  throw Object.assign(new Error('Neither an address nor a range.'), {
    validationContext: 'body',
    validation: [
      {
        keyword: 'format',
        instancePath: `/allowed_ips/${wrong}`,
        schemaPath: '#/properties/allowed_ips/items/format',
        params: {},
        message: 'should be an IP address or a CIDR range',
      },
    ],
  });
}
