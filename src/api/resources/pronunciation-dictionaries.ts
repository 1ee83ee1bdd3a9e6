import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Dictionary, DictionaryRule, DictionaryVersion } from '../../domain/dictionary.ts';
import { SpeechError } from '../../domain/errors.ts';
import {
  type DictionaryShelf,
  withoutRules,
  withRules,
} from '../../service/dictionaries/dictionary-shelf.ts';
import { readLexicon } from '../../service/dictionaries/lexicon-reader.ts';
import { writeLexicon } from '../../service/dictionaries/lexicon-writer.ts';
import type { DictionaryPlace } from '../../service/storage/dictionary-store.ts';
import { callerOf, type KeyChecker } from '../http/authenticate.ts';
import { allowForms, FORM, readForm } from '../http/multipart-form.ts';
import { rulesOf, wireRule } from './pronunciation-dictionaries-rules.ts';
import {
  DictionariesPage,
  DictionariesQuery,
  DictionaryParams,
  DictionaryRecord,
  DictionaryWithRules,
  dictionaryRecord,
  EditDictionaryBody,
  NewDictionaryBody,
  NewDictionaryForm,
  NewDictionaryRecord,
  newDictionaryRecord,
  RemoveRulesBody,
  RulesBody,
  RulesRecord,
  VersionParams,
} from './pronunciation-dictionaries-schemas.ts';

const PATH = '/v1/pronunciation-dictionaries';
const ONE = `${PATH}/:pronunciation_dictionary_id`;
const MAX_BYTES = 2 ** 20;
const FORM_LIMITS = { fileField: 'file', files: 1, fileBytes: MAX_BYTES, totalBytes: MAX_BYTES };
const tags = ['Pronunciation dictionaries'];
const CHANGE_ERRORS = ['not_found', 'invalid_input_message', 'system_busy'] as const;
const LEXICON_REPLY = {
  description: 'The rules, in the W3C Pronunciation Lexicon Specification 1.0.',
  content: { 'application/pls+xml': { schema: { type: 'string' } } },
};

/** Pronunciation dictionaries of the caller's account (PROTOCOL §3.7). */
export function pronunciationDictionariesRoutes(
  app: FastifyInstance,
  keys: KeyChecker,
  shelf: DictionaryShelf,
): void {
  makingRoutes(app, keys, shelf);
  readingRoutes(app, keys, shelf);
  changingRoutes(app, keys, shelf);
}

function makingRoutes(app: FastifyInstance, keys: KeyChecker, shelf: DictionaryShelf): void {
  const create = async (
    accountId: string,
    given: { readonly name: string; readonly description?: string | null },
    rules: readonly DictionaryRule[],
  ) => {
    const { name, description = null } = given;
    return newDictionaryRecord(await shelf.create(accountId, { name, description, rules }));
  };
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    `${PATH}/add-from-rules`,
    {
      bodyLimit: MAX_BYTES,
      schema: {
        tags,
        summary: 'Make a dictionary of rules',
        errors: ['invalid_input_message'],
        body: NewDictionaryBody,
        response: { 200: NewDictionaryRecord },
      },
    },
    async (request) => {
      const { accountId } = await callerOf(request, keys);
      return create(accountId, request.body, rulesOf(request.body.rules));
    },
  );
  // In a scope of its own, because of its parser.
  void app.register(async (scope) => {
    await allowForms(scope);
    scope.withTypeProvider<TypeBoxTypeProvider>().post(
      `${PATH}/add-from-file`,
      {
        schema: {
          tags,
          summary: 'Make a dictionary of a lexicon file',
          consumes: FORM,
          errors: ['invalid_input_message'],
          body: NewDictionaryForm,
          response: { 200: NewDictionaryRecord },
        },
        preValidation: async (request) => {
          await callerOf(request, keys);
          await readForm(request, FORM_LIMITS);
        },
      },
      async (request) => {
        const { accountId } = await callerOf(request, keys);
        const [file] = request.body.file ?? [];
        return create(accountId, request.body, file ? readLexicon(file.bytes) : []);
      },
    );
  });
}

function readingRoutes(app: FastifyInstance, keys: KeyChecker, shelf: DictionaryShelf): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.get(
    PATH,
    {
      schema: {
        tags,
        summary: 'List dictionaries',
        errors: ['invalid_input_message'],
        querystring: DictionariesQuery,
        response: { 200: DictionariesPage },
      },
    },
    async (request) => {
      const { accountId } = await callerOf(request, keys);
      const { cursor, page_size: limit, sort, sort_direction, include_archived } = request.query;
      // One more than fits tells whether there is another page.
      const found = await shelf.list(accountId, {
        sort: sort === 'name' ? 'name' : 'created',
        direction: sort_direction.toLowerCase().startsWith('asc') ? 'ascending' : 'descending',
        includeArchived: include_archived,
        after: cursor === undefined ? undefined : placeOf(cursor),
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        pronunciation_dictionaries: page.map(dictionaryRecord),
        next_cursor: last ? cursorOf(last) : null,
        has_more: last !== undefined,
      };
    },
  );
  typed.get(
    ONE,
    {
      schema: {
        tags,
        summary: 'Get a dictionary with its latest rules',
        params: DictionaryParams,
        errors: ['not_found'],
        response: { 200: DictionaryWithRules },
      },
    },
    async (request) => {
      const { accountId } = await callerOf(request, keys);
      const dictionary = await shelf.find(accountId, request.params.pronunciation_dictionary_id);
      const { dictionaryId, latestVersionId } = dictionary;
      const rules = await shelf.rules(accountId, dictionaryId, latestVersionId);
      return { ...dictionaryRecord(dictionary), rules: rules.map(wireRule) };
    },
  );
  typed.get(
    `${ONE}/:version_id/download`,
    {
      schema: {
        tags,
        summary: 'Download a version as a lexicon file',
        params: VersionParams,
        errors: ['not_found'],
        response: { 200: LEXICON_REPLY },
      },
    },
    async (request, reply) => {
      const { accountId } = await callerOf(request, keys);
      const { pronunciation_dictionary_id: dictionaryId, version_id: versionId } = request.params;
      const rules = await shelf.rules(accountId, dictionaryId, versionId);
      reply.header('content-disposition', 'attachment; filename="dictionary.pls"');
      return reply.type('application/pls+xml; charset=utf-8').send(writeLexicon(rules));
    },
  );
}

function changingRoutes(app: FastifyInstance, keys: KeyChecker, shelf: DictionaryShelf): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.patch(
    ONE,
    {
      schema: {
        tags,
        summary: 'Rename, archive or bring back a dictionary',
        params: DictionaryParams,
        body: EditDictionaryBody,
        errors: ['not_found'],
        response: { 200: DictionaryRecord },
      },
    },
    async (request) => {
      const { accountId } = await callerOf(request, keys);
      const { name, archived } = request.body;
      const change = { name: name ?? undefined, isArchived: archived ?? undefined };
      const dictionaryId = request.params.pronunciation_dictionary_id;
      return dictionaryRecord(await shelf.edit(accountId, dictionaryId, change));
    },
  );
  const ruleRoute = (summary: string, body: typeof RulesBody) => ({
    bodyLimit: MAX_BYTES,
    schema: {
      tags,
      summary,
      params: DictionaryParams,
      body,
      errors: CHANGE_ERRORS,
      response: { 200: RulesRecord },
    },
  });
  typed.post(`${ONE}/add-rules`, ruleRoute('Add rules', RulesBody), async (request) => {
    const { accountId } = await callerOf(request, keys);
    const added = rulesOf(request.body.rules);
    const dictionaryId = request.params.pronunciation_dictionary_id;
    return rulesRecord(
      await shelf.changeRules(accountId, dictionaryId, (rules) => withRules(rules, added)),
    );
  });
  typed.post(`${ONE}/set-rules`, ruleRoute('Replace all rules', RulesBody), async (request) => {
    const { accountId } = await callerOf(request, keys);
    const rules = rulesOf(request.body.rules);
    const dictionaryId = request.params.pronunciation_dictionary_id;
    return rulesRecord(await shelf.changeRules(accountId, dictionaryId, () => rules));
  });
  typed.post(
    `${ONE}/remove-rules`,
    {
      bodyLimit: MAX_BYTES,
      schema: {
        tags,
        summary: 'Take rules out',
        params: DictionaryParams,
        body: RemoveRulesBody,
        errors: CHANGE_ERRORS,
        response: { 200: RulesRecord },
      },
    },
    async (request) => {
      const { accountId } = await callerOf(request, keys);
      const { rule_strings } = request.body;
      const dictionaryId = request.params.pronunciation_dictionary_id;
      return rulesRecord(
        await shelf.changeRules(accountId, dictionaryId, (rules) =>
          withoutRules(rules, rule_strings),
        ),
      );
    },
  );
}

function rulesRecord({ dictionaryId, versionId, rules }: DictionaryVersion) {
  return { id: dictionaryId, version_id: versionId, version_rules_num: rules.length };
}

function cursorOf({ createdAtMs, dictionaryId, name }: Dictionary): string {
  return Buffer.from(JSON.stringify([createdAtMs, dictionaryId, name])).toString('base64url');
}

function placeOf(cursor: string): DictionaryPlace {
  try {
    const [createdAtMs, dictionaryId, name] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    );
    if (
      Number.isSafeInteger(createdAtMs) &&
      typeof dictionaryId === 'string' &&
      typeof name === 'string'
    ) {
      return { createdAtMs, dictionaryId, name };
    }
  } catch {
    // Refused below, like one that reads as something else.
  }
  throw new SpeechError('invalid_input_message', 'This cursor is not one that a list gave.', {
    param: 'cursor',
  });
}
