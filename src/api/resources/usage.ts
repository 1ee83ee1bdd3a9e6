import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { UsageDimension } from '../../domain/usage.ts';
import type { UsageOverTime, UsageReader } from '../../service/account/usage-over-time.ts';

/** The end of the year 9999: what no database takes for an overflow. */
const MAX_UNIX_MS = 253_402_300_799_999;
const SECONDS_AN_HOUR = 3600;
/** A year. */
const MAX_BUCKET_SECONDS = 31_536_000;

const unixMs = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_UNIX_MS,
    description: `${description} Milliseconds since 1970.`,
  });
const oneOf = <T extends string>(
  values: readonly T[],
  options: { default: T; description: string },
) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  );

/** What the characters of an account are told apart by, besides time. */
const DIMENSIONS: ReadonlyMap<string, UsageDimension> = new Map([
  ['voice', 'voice'],
  ['model', 'model'],
  ['api_keys', 'key'],
  ['all_api_keys', 'key'],
]);
/** An account is one user and one workspace here. */
const ACCOUNT_TYPES: ReadonlySet<string> = new Set(['user', 'reporting_workspace_id']);
const ALL = 'All';
const PRODUCT = 'TTS';

const UsageQuerySchema = Type.Object({
  start_unix: unixMs('When the time begins.'),
  end_unix: unixMs('When it ends.'),
  include_workspace_metrics: Type.Boolean({
    default: false,
    description: 'Changes nothing here: an account is a workspace of its own.',
  }),
  breakdown_type: oneOf(['none', ...DIMENSIONS.keys(), ...ACCOUNT_TYPES, 'product_type'], {
    default: 'none',
    description: 'What `usage` has a row for. Voices, models and keys are named by their ids.',
  }),
  aggregation_interval: oneOf(['hour', 'day', 'week', 'month', 'cumulative'] as const, {
    default: 'day',
    description: 'The time between two figures. All are of UTC; weeks begin on Monday.',
  }),
  aggregation_bucket_size: Type.Optional(
    Type.Integer({
      minimum: SECONDS_AN_HOUR,
      maximum: MAX_BUCKET_SECONDS,
      multipleOf: SECONDS_AN_HOUR,
      description: 'The same in seconds, in whole hours. Counts before `aggregation_interval`.',
    }),
  ),
  metric: oneOf(['credits', 'tts_characters'] as const, {
    default: 'credits',
    description: 'What is counted. A character costs one credit, so both are the same.',
  }),
});

const UsageRecord = Type.Object(
  {
    time: Type.Array(Type.Integer(), {
      description: 'When each stretch of time begins, in milliseconds since 1970.',
    }),
    usage: Type.Record(Type.String(), Type.Array(Type.Integer()), {
      description: 'Characters charged in each of them.',
    }),
  },
  { title: 'UsageOverTime' },
);

/** `GET /v1/usage/character-stats`: what the account was charged in the course of time. */
export function usageRoutes(app: FastifyInstance, usage: UsageReader): void {
  app.withTypeProvider<TypeBoxTypeProvider>().get(
    '/v1/usage/character-stats',
    {
      schema: {
        summary: 'Tell what was charged over time',
        description:
          'By the hour in which a request began. Hours are kept for 35 days, days for 400. The 100 rows with the most characters are told apart, the others summed up as `Other`.',
        tags: ['User'],
        access: { scope: 'user_read' },
        querystring: UsageQuerySchema,
        errors: ['invalid_parameters'],
        response: { 200: UsageRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { start_unix, end_unix, breakdown_type, ...query } = request.query;
      const by = DIMENSIONS.get(breakdown_type);
      const seconds = query.aggregation_bucket_size;
      const found = await usage.read({
        accountId,
        startMs: start_unix,
        endMs: end_unix,
        interval: seconds === undefined ? query.aggregation_interval : seconds * 1000,
        ...(by && { by }),
      });
      return usageRecord(
        found,
        by === undefined ? onlyLabel(breakdown_type, accountId) : undefined,
      );
    },
  );
}

function onlyLabel(breakdownType: string, accountId: string): string {
  if (ACCOUNT_TYPES.has(breakdownType)) return accountId;
  return breakdownType === 'product_type' ? PRODUCT : ALL;
}

/** @param label of the only row; absent when there are several. */
function usageRecord(
  { timesMs, characters }: UsageOverTime,
  label: string | undefined,
): Static<typeof UsageRecord> {
  const time = [...timesMs];
  const usage =
    label === undefined
      ? Object.fromEntries([...characters].map(([name, figures]) => [name, [...figures]]))
      : { [label]: [...(characters.get('') ?? time.map(() => 0))] };
  return { time, usage };
}
