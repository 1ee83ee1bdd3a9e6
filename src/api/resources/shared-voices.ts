import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { MODELS } from '../../domain/model.ts';
import type { Voice } from '../../domain/voice.ts';
import type { VoiceDirectory } from '../../service/voices/voice-directory.ts';
import { libraryOwnerOf } from '../../service/voices/voice-id.ts';
import { languageCode } from './languages.ts';
import { voiceLimitsOf } from './voice-limits.ts';
import { AdoptedVoiceRecord, LibraryPageRecord, type LibraryVoiceRecord } from './voice-schemas.ts';
import { mentions } from './voices-search.ts';

const tags = ['Voices'];
const ALIKE = 'Accepted for compatibility: the voices of the library do not differ in it.';

const filter = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));
const filters = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: 100, description }));

const SharedVoicesQuery = Type.Object({
  page_size: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 30,
    description: 'Voices to return at most.',
  }),
  page: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'From 0.' }),
  search: filter('Words that must all occur in name or description.'),
  category: filter('All voices of the library are professional.'),
  gender: filter('Of most voices of the library it is not known.'),
  language: filter('ISO 639-1, such as en.'),
  locale: filter('Such as en-US.'),
  owner_id: filter('Only voices of this public_owner_id.'),
  age: filter('Of no voice of the library is it known, so none matches.'),
  accent: filter('Of no voice of the library is it known, so none matches.'),
  use_cases: filters('Of no voice of the library are they known, so none matches.'),
  descriptives: filters('Of no voice of the library are they known, so none matches.'),
  featured: Type.Optional(Type.Boolean({ description: 'No voice is featured.' })),
  sort: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['created_date', 'usage_character_count_1y', 'trending', 'cloned_by_count'],
      description: ALIKE,
    }),
  ),
});
type Search = Type.Static<typeof SharedVoicesQuery>;

const AdoptionParams = Type.Object({
  public_user_id: Type.String({ description: 'The public_owner_id of the voice.' }),
  voice_id: Type.String({ description: 'From GET /v1/shared-voices.' }),
});
const AdoptionBody = Type.Object({
  new_name: Type.String({ minLength: 1, maxLength: 100, description: 'What to call the voice.' }),
});

/** The library: every speaker of the installed models, to be tried by id or put into one's own list. */
export function sharedVoicesRoutes(app: FastifyInstance, voices: VoiceDirectory): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.get(
    '/v1/shared-voices',
    {
      schema: {
        tags,
        summary: 'Search the voice library',
        access: { scope: 'voices_read' },
        querystring: SharedVoicesQuery,
        response: { 200: LibraryPageRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { page, page_size } = request.query;
      const found = (await voices.library(accountId)).filter(({ voice }) =>
        matches(voice, request.query),
      );
      const shown = found.slice(page * page_size, (page + 1) * page_size);
      return {
        voices: shown.map(({ voice, isAdded }) => libraryRecord(voice, isAdded)),
        has_more: found.length > (page + 1) * page_size,
        total_count: found.length,
        last_sort_id: shown.at(-1)?.voice.voiceId ?? null,
      };
    },
  );
  typed.post(
    '/v1/voices/add/:public_user_id/:voice_id',
    {
      schema: {
        tags,
        summary: 'Put a voice of the library into your list',
        access: { scope: 'voices_write' },
        params: AdoptionParams,
        body: AdoptionBody,
        errors: ['voice_id_does_not_exist', 'already_exists', 'voice_limit_reached'],
        response: { 200: AdoptedVoiceRecord },
      },
    },
    async (request) => {
      const caller = request.caller;
      const { public_user_id: ownerId, voice_id: voiceId } = request.params;
      const { new_name } = request.body;
      const limits = voiceLimitsOf(caller);
      await voices.adopt(caller.accountId, { ownerId, voiceId }, new_name, limits);
      return { voice_id: voiceId };
    },
  );
}

function matches(voice: Voice, search: Search): boolean {
  const { name, description, gender, language, voiceId } = voice;
  const unknown = [search.age, search.accent, search.use_cases, search.descriptives];
  const wanted: readonly boolean[] = [
    search.search === undefined || mentions([name, description], search.search),
    search.category === undefined || search.category === 'professional',
    search.gender === undefined || gender === search.gender,
    search.language === undefined || languageCode(language) === search.language,
    search.locale === undefined || language.toLowerCase() === search.locale.toLowerCase(),
    search.owner_id === undefined || libraryOwnerOf(voiceId) === search.owner_id,
    unknown.every((value) => value === undefined),
    search.featured !== true,
  ];
  return wanted.every(Boolean);
}

/** A voice of the library as clients read it: strict ones fail on a missing key, hence the noughts. */
function libraryRecord(voice: Voice, isAdded: boolean): Static<typeof LibraryVoiceRecord> {
  const language = languageCode(voice.language);
  return {
    public_owner_id: libraryOwnerOf(voice.voiceId),
    voice_id: voice.voiceId,
    date_unix: 0,
    name: voice.name,
    accent: '',
    gender: voice.gender ?? '',
    age: '',
    descriptive: '',
    use_case: '',
    category: 'professional',
    language,
    locale: voice.language,
    description: voice.description,
    licence: voice.licence,
    attribution: voice.attribution,
    preview_url: null,
    usage_character_count_1y: 0,
    usage_character_count_7d: 0,
    play_api_usage_character_count_1y: 0,
    cloned_by_count: 0,
    rate: 1,
    fiat_rate: null,
    free_users_allowed: true,
    live_moderation_enabled: false,
    featured: false,
    verified_languages: MODELS.map(({ modelId }) => ({
      language,
      model_id: modelId,
      accent: null,
      locale: voice.language,
      preview_url: null,
    })),
    notice_period: null,
    instagram_username: null,
    twitter_username: null,
    youtube_username: null,
    tiktok_username: null,
    image_url: null,
    is_added_by_user: isAdded,
    is_bookmarked: false,
  };
}
