import { Type } from 'typebox';
import type { Dictionary, DictionaryRule, PhoneticAlphabet } from '../../domain/dictionary.ts';
import type { UploadedFile } from '../../domain/uploaded-file.ts';
import { nullable } from '../http/reply-schemas.ts';

const nullableBoolean = (description: string) =>
  Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description }));

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'For people to tell it by.',
  examples: ['Product names'],
});
const Description = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 2000,
    description: 'For people.',
  }),
);
const WorkspaceAccess = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'Accepted for compatibility: whoever has a key of the account may use and change its dictionaries.',
  }),
);

const RuleSchema = Type.Object(
  {
    type: Type.Unsafe<DictionaryRule['type']>({
      type: 'string',
      enum: ['alias', 'phoneme'],
      description: 'alias speaks other words; phoneme says how the words sound.',
    }),
    string_to_replace: Type.String({
      minLength: 1,
      description: 'The text that the rule is about, as it is written; at most 100 characters.',
    }),
    case_sensitive: nullableBoolean(
      'Whether upper and lower case differ. True unless said otherwise.',
    ),
    word_boundaries: nullableBoolean(
      'Whether only whole words are meant. True unless said otherwise.',
    ),
    alias: Type.Optional(
      Type.String({
        description: 'For an alias rule: the words to speak; at most 500 characters.',
      }),
    ),
    phoneme: Type.Optional(
      Type.String({
        description: 'For a phoneme rule: the sounds, such as təˈmeɪtoʊ, or T AH0 M EY1 T OW2.',
      }),
    ),
    alphabet: Type.Optional(
      Type.Unsafe<PhoneticAlphabet>({
        type: 'string',
        enum: ['ipa', 'cmu-arpabet'],
        description: 'For a phoneme rule: what its sounds are written in.',
      }),
    ),
  },
  {
    title: 'PronunciationRule',
    examples: [{ type: 'alias', string_to_replace: 'IVR', alias: 'phone menu' }],
  },
);
export type WireRule = Type.Static<typeof RuleSchema>;

export const RulesBody = Type.Object({
  rules: Type.Array(RuleSchema, {
    maxItems: 10_000,
    description: 'In the order in which they are tried: of rules that contend, the first wins.',
  }),
});

export const NewDictionaryBody = Type.Object({
  name: Name,
  description: Description,
  workspace_access: WorkspaceAccess,
  ...RulesBody.properties,
});

export const NewDictionaryForm = Type.Object({
  name: Name,
  description: Description,
  workspace_access: WorkspaceAccess,
  file: Type.Optional(
    Type.Array(
      Type.Unsafe<UploadedFile>({
        contentMediaType: 'application/pls+xml',
        description: 'A lexicon of the W3C Pronunciation Lexicon Specification 1.0; at most 1 MiB.',
      }),
      { maxItems: 1, description: 'The rules to begin with; none makes an empty dictionary.' },
    ),
  ),
});

export const RemoveRulesBody = Type.Object({
  rule_strings: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 10_000,
    description: 'The string_to_replace of the rules to take out; unknown ones are ignored.',
    examples: [['IVR']],
  }),
});

export const EditDictionaryBody = Type.Object({
  archived: nullableBoolean('Archived dictionaries still work, and are left out of the list.'),
  name: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength: 200 }),
  ),
});

const DIRECTIONS = ['ascending', 'descending', 'ASCENDING', 'DESCENDING', 'asc', 'desc'] as const;

export const DictionariesQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The next_cursor of the page before.' }),
  ),
  page_size: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 30,
    description: 'Dictionaries to return at most.',
  }),
  sort: Type.Unsafe<'creation_time_unix' | 'name'>({
    type: 'string',
    enum: ['creation_time_unix', 'name'],
    default: 'creation_time_unix',
    description: 'What the order goes by.',
  }),
  sort_direction: Type.Unsafe<(typeof DIRECTIONS)[number]>({
    type: 'string',
    enum: DIRECTIONS,
    default: 'descending',
    description: 'Whether the order goes up or down.',
  }),
  include_archived: Type.Boolean({
    default: false,
    description: 'Whether archived dictionaries are listed too.',
  }),
});

const ID = 'From the reply to its making, or from the list.';
export const DictionaryParams = Type.Object({
  pronunciation_dictionary_id: Type.String({ description: ID }),
});
export const VersionParams = Type.Object({
  pronunciation_dictionary_id: Type.String({ description: ID }),
  version_id: Type.String({ description: 'From the reply to the change that made it.' }),
});

const Identity = {
  id: Type.String(),
  name: Type.String(),
  created_by: Type.String({ description: 'The account.' }),
  creation_time_unix: Type.Integer(),
  description: nullable(Type.String()),
  permission_on_resource: Type.Literal('admin'),
};

export const NewDictionaryRecord = Type.Object(
  {
    ...Identity,
    version_id: Type.String({ description: 'Name it in a locator to stay with these rules.' }),
    version_rules_num: Type.Integer(),
  },
  { title: 'NewDictionary' },
);

export const DictionaryRecord = Type.Object(
  {
    ...Identity,
    latest_version_id: Type.String(),
    latest_version_rules_num: Type.Integer(),
    archived_time_unix: nullable(Type.Integer()),
  },
  { title: 'Dictionary' },
);

export const DictionaryWithRules = Type.Object(
  {
    ...DictionaryRecord.properties,
    rules: Type.Array(RuleSchema),
  },
  { title: 'DictionaryWithRules' },
);

export const DictionariesPage = Type.Object(
  {
    pronunciation_dictionaries: Type.Array(DictionaryRecord),
    next_cursor: nullable(Type.String()),
    has_more: Type.Boolean(),
  },
  { title: 'DictionariesPage' },
);

export const RulesRecord = Type.Object(
  {
    id: Type.String(),
    version_id: Type.String({ description: 'The version that the change has made.' }),
    version_rules_num: Type.Integer(),
  },
  { title: 'DictionaryVersion' },
);

/** A dictionary just made, as clients read it (PROTOCOL §3.7). */
export function newDictionaryRecord(dictionary: Dictionary) {
  return {
    ...identityOf(dictionary),
    version_id: dictionary.latestVersionId,
    version_rules_num: dictionary.latestRuleCount,
  };
}

export function dictionaryRecord(dictionary: Dictionary) {
  const { archivedAtMs } = dictionary;
  return {
    ...identityOf(dictionary),
    latest_version_id: dictionary.latestVersionId,
    latest_version_rules_num: dictionary.latestRuleCount,
    archived_time_unix: archivedAtMs === null ? null : Math.floor(archivedAtMs / 1000),
  };
}

function identityOf(dictionary: Dictionary) {
  return {
    id: dictionary.dictionaryId,
    name: dictionary.name,
    created_by: dictionary.accountId,
    creation_time_unix: Math.floor(dictionary.createdAtMs / 1000),
    description: dictionary.description,
    permission_on_resource: 'admin' as const,
  };
}
