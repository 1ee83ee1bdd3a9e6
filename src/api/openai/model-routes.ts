import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { MODELS, resolveModel } from '../../domain/model.ts';
import { OPENAI_CLIENT } from './openai-client.ts';
import { OPENAI_ERROR_SHAPE } from './openai-errors.ts';

const OpenAiModel = Type.Object(
  {
    id: Type.String({ description: 'What to send as model.' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: '0: no model here has a date.' }),
    owned_by: Type.String(),
  },
  { title: 'OpenAiModel' },
);
const NameList = Type.Object({
  models: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
});
const ModelParams = Type.Object({
  model: Type.String({ description: 'An id of GET /v1/models.' }),
});

const shared = { tags: ['Other vendors’ wires'], errorShape: OPENAI_ERROR_SHAPE };
const access = { scope: 'models_read' } as const;

/** The models as OpenAI's clients and front ends ask for them, every id that is accepted among them. */
export function modelRoutes(app: FastifyInstance): void {
  const list = Type.Object({ object: Type.Literal('list'), data: Type.Array(OpenAiModel) });
  app.get(
    '/v1/models',
    {
      constraints: OPENAI_CLIENT,
      schema: {
        ...shared,
        access,
        summary: 'To a key in Authorization alone, as OpenAI lists them',
        response: { 200: list },
      },
    },
    async () => ({ object: 'list', data: ids().map(({ id }) => record(id)) }),
  );
  app.get<{ Params: Static<typeof ModelParams> }>(
    '/v1/models/:model',
    {
      schema: {
        ...shared,
        access,
        summary: 'Get a model, as OpenAI has it',
        params: ModelParams,
        errors: ['unsupported_model'],
        response: { 200: OpenAiModel },
      },
    },
    async ({ params }) => {
      resolveModel(params.model);
      return record(params.model);
    },
  );
  app.get(
    '/v1/audio/models',
    {
      schema: {
        ...shared,
        access: { ...access, key: 'optional' },
        summary: 'List the models for front ends',
        response: { 200: NameList },
      },
    },
    async () => ({ models: ids() }),
  );
}

function ids(): ReadonlyArray<{ readonly id: string; readonly name: string }> {
  return MODELS.flatMap(({ modelId, name, aliases }) =>
    [modelId, ...aliases].map((id) => ({ id, name: id === modelId ? name : `${id} (${name})` })),
  );
}

function record(id: string): Static<typeof OpenAiModel> {
  return { id, object: 'model', created: 0, owned_by: 'sidetone' };
}
