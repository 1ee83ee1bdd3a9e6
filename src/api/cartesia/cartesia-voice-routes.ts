import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { AccountVoices, KnownVoice } from '../../service/voices/known-voice.ts';
import { optionalField } from '../wire/optional-field.ts';
import { CARTESIA_ERROR_SHAPE } from './cartesia-errors.ts';

const CartesiaVoice = Type.Object(
  {
    id: Type.String({ description: 'What to send as voice.' }),
    name: Type.String(),
    description: Type.String(),
    tagline: Type.String(),
    language: Type.String({ description: 'Such as en.' }),
    locales: Type.Array(Type.String()),
    gender: Type.Union([Type.String(), Type.Null()], {
      description: 'masculine, feminine or null.',
    }),
    is_owner: Type.Boolean({ description: 'Whether the account made it.' }),
    is_public: Type.Boolean(),
    access: Type.String({ description: 'public or private.' }),
    visibility: Type.String({ description: 'all or owner.' }),
    created_at: Type.String({ description: 'The epoch: no voice of the installation has a date.' }),
  },
  { title: 'CartesiaVoice' },
);
type CartesiaVoice = Static<typeof CartesiaVoice>;

const VoicesQuery = Type.Object({
  limit: optionalField<number>('integer', {
    minimum: 1,
    maximum: 100,
    description: 'How many at most; 100 unless given.',
  }),
  starting_after: optionalField<string>('string', { description: 'Those after this id.' }),
  ending_before: optionalField<string>('string', { description: 'Those before this id.' }),
});
type VoicesQuery = Static<typeof VoicesQuery>;

const DEFAULT_LIMIT = 100;
const GENDERS: ReadonlyMap<string | undefined, string> = new Map([
  ['male', 'masculine'],
  ['female', 'feminine'],
]);
const EPOCH = new Date(0).toISOString();

const shared = {
  tags: ['Other vendors’ wires'],
  access: { scope: 'voices_read', door: 'cartesia' } as const,
  errorShape: CARTESIA_ERROR_SHAPE,
};

/** `GET /voices` and `GET /voices/{id}`, as Cartesia's clients list voices. */
export function cartesiaVoiceRoutes(app: FastifyInstance, voices: AccountVoices): void {
  const page = Type.Object({ data: Type.Array(CartesiaVoice), has_more: Type.Boolean() });
  app.get<{ Querystring: VoicesQuery }>(
    '/voices',
    {
      schema: {
        ...shared,
        operationId: 'getCartesiaVoices',
        summary: 'List the voices, for clients of Cartesia',
        querystring: VoicesQuery,
        response: { 200: page },
      },
    },
    async ({ caller, query }) => pageOf((await voices.list(caller.accountId)).map(record), query),
  );
  app.get<{ Params: { id: string } }>(
    '/voices/:id',
    {
      schema: {
        ...shared,
        operationId: 'getCartesiaVoicesById',
        summary: 'Get a voice, for clients of Cartesia',
        params: Type.Object({ id: Type.String({ description: 'An id of GET /voices.' }) }),
        errors: ['voice_id_does_not_exist'],
        response: { 200: CartesiaVoice },
      },
    },
    async ({ caller, params }) => record(await voices.describe(caller.accountId, params.id)),
  );
}

/** An id that is not listed begins at the beginning, or ends at the end. */
function pageOf(
  all: readonly CartesiaVoice[],
  { limit, starting_after: after, ending_before: before }: VoicesQuery,
) {
  const first = all.findIndex(({ id }) => id === after) + 1;
  const found = all.findIndex(({ id }) => id === before);
  const last = before != null && found >= 0 ? found : all.length;
  const size = limit ?? DEFAULT_LIMIT;
  const start = before == null ? first : Math.max(first, last - size);
  const data = all.slice(start, Math.min(last, start + size));
  return { data, has_more: before == null ? start + data.length < last : start > first };
}

function record({ voiceId, name, description, labels, voice, own }: KnownVoice): CartesiaVoice {
  const locale = labels['locale'] ?? voice?.language ?? 'en';
  return {
    id: voiceId,
    name,
    description: description ?? '',
    tagline: labels['descriptive'] ?? '',
    language: locale.split('-')[0] ?? locale,
    locales: [locale],
    gender: GENDERS.get(labels['gender']) ?? null,
    is_owner: own !== undefined,
    is_public: own === undefined,
    access: own ? 'private' : 'public',
    visibility: own ? 'owner' : 'all',
    created_at: EPOCH,
  };
}
