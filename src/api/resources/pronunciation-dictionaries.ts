import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Dictionary } from '../../domain/dictionary.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { DictionaryRegistry } from '../../service/dictionaries/dictionary-registry.ts';
import { readLexicon } from '../../service/dictionaries/lexicon-reader.ts';
import { writeLexicon } from '../../service/dictionaries/lexicon-writer.ts';
import type { DictionaryPlace } from '../../service/storage/dictionary-store.ts';
import type { Uploads } from '../../service/uploads/uploads.ts';
import { allowForms, FORM, readForm } from '../http/multipart-form.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import { changingRulesRoutes } from './pronunciation-dictionaries-changes.ts';
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
  VersionParams,
} from './pronunciation-dictionaries-schemas.ts';

const PATH = '/v1/pronunciation-dictionaries';
const ONE = `${PATH}/:pronunciation_dictionary_id`;
const MAX_BYTES = 2 ** 20;
const FORM_LIMITS = { fileField: 'file', files: 1, fileBytes: MAX_BYTES, totalBytes: MAX_BYTES };
const tags = ['Pronunciation dictionaries'];
const UPLOAD_ERRORS = [
  'invalid_input_message',
  'account_limit_reached',
  'message_too_big',
  'client_too_slow',
  'too_many_concurrent_requests',
  'system_busy',
  'insufficient_storage',
] as const;
const LEXICON_REPLY = {
  description: 'The rules, in the W3C Pronunciation Lexicon Specification 1.0.',
  content: { 'application/pls+xml': { schema: { type: 'string' } } },
};

/** Pronunciation dictionaries of the caller's account (PROTOCOL §3.7). */
export function pronunciationDictionariesRoutes(
  app: FastifyInstance,
  registry: DictionaryRegistry,
  uploads: Uploads,
): void {
  makingRoutes(app, registry);
  lexiconRoute(app, registry, uploads);
  readingRoutes(app, registry);
  changingRoutes(app, registry);
  changingRulesRoutes(app, registry);
}

function makingRoutes(app: FastifyInstance, registry: DictionaryRegistry): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    `${PATH}/add-from-rules`,
    {
      bodyLimit: MAX_BYTES,
      schema: {
        tags,
        summary: 'Make a dictionary of rules',
        access: { scope: 'pronunciation_dictionaries_write' },
        errors: ['invalid_input_message', 'account_limit_reached'],
        body: NewDictionaryBody,
        response: { 200: NewDictionaryRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { name, description = null, rules } = request.body;
      const given = { name, description, rules: rulesOf(rules) };
      return newDictionaryRecord(await registry.create(accountId, given));
    },
  );
}

function lexiconRoute(app: FastifyInstance, registry: DictionaryRegistry, uploads: Uploads): void {
  // In a scope of its own, because of its parser.
  void app.register(async (scope) => {
    await allowForms(scope);
    scope.withTypeProvider<TypeBoxTypeProvider>().post(
      `${PATH}/add-from-file`,
      {
        schema: {
          tags,
          summary: 'Make a dictionary of a lexicon file',
          access: { scope: 'pronunciation_dictionaries_write' },
          consumes: FORM,
          errors: UPLOAD_ERRORS,
          body: NewDictionaryForm,
          response: { 200: NewDictionaryRecord },
        },
        preValidation: async (request) => {
          const { accountId } = request.caller;
          await readForm(request, accountId, uploads, FORM_LIMITS);
        },
      },
      async (request) => {
        const { accountId } = request.caller;
        const { name, description = null, file: files = [] } = request.body;
        const [file] = files;
        const rules = file ? await readLexicon(await file.read(0, MAX_BYTES)) : [];
        return newDictionaryRecord(await registry.create(accountId, { name, description, rules }));
      },
    );
  });
}

function readingRoutes(app: FastifyInstance, registry: DictionaryRegistry): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.get(
    PATH,
    {
      schema: {
        tags,
        summary: 'List dictionaries',
        access: { scope: 'pronunciation_dictionaries_read' },
        errors: ['invalid_input_message'],
        querystring: DictionariesQuery,
        response: { 200: DictionariesPage },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { cursor, page_size: limit, sort, sort_direction, include_archived } = request.query;
      // One more than fits tells whether there is another page.
      const found = await registry.list(accountId, {
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
        access: { scope: 'pronunciation_dictionaries_read' },
        params: DictionaryParams,
        errors: ['not_found'],
        response: { 200: DictionaryWithRules },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const dictionary = await registry.find(accountId, request.params.pronunciation_dictionary_id);
      const { dictionaryId, latestVersionId } = dictionary;
      const rules = await registry.rules(accountId, dictionaryId, latestVersionId);
      return { ...dictionaryRecord(dictionary), rules: rules.map(wireRule) };
    },
  );
  typed.get(
    `${ONE}/:version_id/download`,
    {
      schema: {
        tags,
        summary: 'Download a version as a lexicon file',
        access: { scope: 'pronunciation_dictionaries_read' },
        params: VersionParams,
        errors: ['not_found'],
        response: { 200: LEXICON_REPLY },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller;
      const { pronunciation_dictionary_id: dictionaryId, version_id: versionId } = request.params;
      const rules = await registry.rules(accountId, dictionaryId, versionId);
      reply.header('content-disposition', 'attachment; filename="dictionary.pls"');
      return reply.type('application/pls+xml; charset=utf-8').send(writeLexicon(rules));
    },
  );
}

function changingRoutes(app: FastifyInstance, registry: DictionaryRegistry): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.patch(
    ONE,
    {
      schema: {
        tags,
        summary: 'Rename, archive or bring back a dictionary',
        access: { scope: 'pronunciation_dictionaries_write' },
        params: DictionaryParams,
        body: EditDictionaryBody,
        errors: ['not_found'],
        response: { 200: DictionaryRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { name, archived } = request.body;
      const change = { name: name ?? undefined, isArchived: archived ?? undefined };
      const dictionaryId = request.params.pronunciation_dictionary_id;
      return dictionaryRecord(await registry.edit(accountId, dictionaryId, change));
    },
  );
  typed.delete(
    ONE,
    {
      schema: {
        tags,
        summary: 'Delete a dictionary with all its versions',
        access: { scope: 'pronunciation_dictionaries_write' },
        params: DictionaryParams,
        errors: ['not_found'],
        response: { 200: Done },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      await registry.remove(accountId, request.params.pronunciation_dictionary_id);
      return DONE;
    },
  );
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
