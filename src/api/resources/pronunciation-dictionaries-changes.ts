import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { DictionaryVersion } from '../../domain/dictionary.ts';
import {
  type DictionaryRegistry,
  withoutRules,
  withRules,
} from '../../service/dictionaries/dictionary-registry.ts';
import { rulesOf } from './pronunciation-dictionaries-rules.ts';
import {
  DictionaryParams,
  RemoveRulesBody,
  RulesBody,
  RulesRecord,
} from './pronunciation-dictionaries-schemas.ts';

const ONE = '/v1/pronunciation-dictionaries/:pronunciation_dictionary_id';
const MAX_BYTES = 2 ** 20;
const tags = ['Pronunciation dictionaries'];
const CHANGE_ERRORS = [
  'not_found',
  'invalid_input_message',
  'account_limit_reached',
  'system_busy',
] as const;

/** Changes of a dictionary's rules, each of which makes a new version. */
export function changingRulesRoutes(app: FastifyInstance, registry: DictionaryRegistry): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  const ruleRoute = (summary: string, body: typeof RulesBody) => ({
    bodyLimit: MAX_BYTES,
    schema: {
      tags,
      summary,
      access: { scope: 'pronunciation_dictionaries_write' } as const,
      params: DictionaryParams,
      body,
      errors: CHANGE_ERRORS,
      response: { 200: RulesRecord },
    },
  });
  typed.post(`${ONE}/add-rules`, ruleRoute('Add rules', RulesBody), async (request) => {
    const { accountId } = request.caller;
    const added = rulesOf(request.body.rules);
    const dictionaryId = request.params.pronunciation_dictionary_id;
    return rulesRecord(
      await registry.changeRules(accountId, dictionaryId, (rules) => withRules(rules, added)),
    );
  });
  typed.post(`${ONE}/set-rules`, ruleRoute('Replace all rules', RulesBody), async (request) => {
    const { accountId } = request.caller;
    const rules = rulesOf(request.body.rules);
    const dictionaryId = request.params.pronunciation_dictionary_id;
    return rulesRecord(await registry.changeRules(accountId, dictionaryId, () => rules));
  });
  typed.post(
    `${ONE}/remove-rules`,
    {
      bodyLimit: MAX_BYTES,
      schema: {
        tags,
        summary: 'Take rules out',
        access: { scope: 'pronunciation_dictionaries_write' } as const,
        params: DictionaryParams,
        body: RemoveRulesBody,
        errors: CHANGE_ERRORS,
        response: { 200: RulesRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { rule_strings } = request.body;
      const dictionaryId = request.params.pronunciation_dictionary_id;
      return rulesRecord(
        await registry.changeRules(accountId, dictionaryId, (rules) =>
          withoutRules(rules, rule_strings),
        ),
      );
    },
  );
}

function rulesRecord({ dictionaryId, versionId, rules }: DictionaryVersion) {
  return { id: dictionaryId, version_id: versionId, version_rules_num: rules.length };
}
