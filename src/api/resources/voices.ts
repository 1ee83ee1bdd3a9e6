import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Voice } from '../../domain/voice.ts';
import type { VoiceDirectory } from '../../service/voices/voice-directory.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import { sharedVoicesRoutes } from './shared-voices.ts';
import { voiceSampleRoutes } from './voice-samples.ts';
import { VoiceList, VoiceRecord, VoicesPageRecord } from './voice-schemas.ts';
import { voiceSettingsRoutes } from './voice-settings.ts';
import { voiceRecord } from './voices-record.ts';
import { searchVoices, VoicesQuery } from './voices-search.ts';
import { type RecordingServices, voicesUploadRoutes } from './voices-upload.ts';

/** The installed voices. */
export interface VoiceListing {
  /** Those that a plain listing shows. */
  list(): readonly Voice[];
}

const tags = ['Voices'];
const VoiceParams = Type.Object({
  voice_id: Type.String({ description: 'From a list of voices.' }),
});
const ListQuery = Type.Object({
  show_legacy: Type.Optional(
    Type.Unknown({ description: 'Accepted for compatibility: no voice is a legacy one.' }),
  ),
});

/** Everything about voices (PROTOCOL §3.3). */
export function voicesRoutes(app: FastifyInstance, services: RecordingServices): void {
  const { directory: voices, recordings } = services;
  listRoutes(app, voices);
  sharedVoicesRoutes(app, voices);
  voiceSettingsRoutes(app, voices);
  voicesUploadRoutes(app, services);
  voiceSampleRoutes(app, recordings);
  app.withTypeProvider<TypeBoxTypeProvider>().delete(
    '/v1/voices/:voice_id',
    {
      schema: {
        tags,
        summary: 'Delete a voice that you have added',
        access: { scope: 'voices_write' },
        params: VoiceParams,
        errors: ['voice_id_does_not_exist'],
        response: { 200: Done },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      await recordings.remove(accountId, request.params.voice_id);
      return DONE;
    },
  );
}

function listRoutes(app: FastifyInstance, voices: VoiceDirectory): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.get(
    '/v1/voices',
    {
      schema: {
        tags,
        summary: 'List voices',
        description:
          'Without a key, only those that are installed for everybody; a wrong key is refused.',
        querystring: ListQuery,
        access: { scope: 'voices_read', key: 'optional' },
        response: { 200: VoiceList },
      },
    },
    async (request) => {
      return { voices: (await voices.list(request.knownCaller?.accountId)).map(voiceRecord) };
    },
  );
  typed.get(
    '/v2/voices',
    {
      schema: {
        tags,
        summary: 'Search voices',
        access: { scope: 'voices_read' },
        querystring: VoicesQuery,
        errors: ['invalid_input_message'],
        response: { 200: VoicesPageRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const asked = await voices.describeAliases(accountId, request.query.voice_ids ?? []);
      const page = searchVoices([...(await voices.list(accountId)), ...asked], request.query);
      return {
        voices: page.voices.map(voiceRecord),
        has_more: page.nextToken !== null,
        total_count: page.total,
        next_page_token: page.nextToken,
      };
    },
  );
  typed.get(
    '/v1/voices/:voice_id',
    {
      schema: {
        tags,
        summary: 'Get a voice',
        params: VoiceParams,
        access: { scope: 'voices_read', key: 'optional' },
        errors: ['voice_id_does_not_exist'],
        response: { 200: VoiceRecord },
      },
    },
    async (request) => {
      const accountId = request.knownCaller?.accountId;
      return voiceRecord(await voices.describe(accountId, request.params.voice_id));
    },
  );
}
