import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { DEFAULT_VOICE_SETTINGS } from '../../domain/voice.ts';
import type { VoiceDirectory } from '../../service/voices/voice-directory.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import {
  readVoiceSettings,
  VoiceSettingsRecord,
  voiceSettingsFields,
  writeVoiceSettings,
} from '../wire/voice-settings.ts';

const tags = ['Voices'];

const SettingsBody = Type.Object(voiceSettingsFields(), {
  description: 'What is left out, or null, stays as it is.',
});

const VoiceParams = Type.Object({
  voice_id: Type.String({ description: 'From a list of voices.' }),
});

/** The settings that an account stores for a voice, used by requests as far as they send none. */
export function voiceSettingsRoutes(app: FastifyInstance, voices: VoiceDirectory): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.get(
    '/v1/voices/settings/default',
    {
      schema: {
        tags,
        summary: 'Get the settings of voices for which none are stored',
        access: 'public',
        response: { 200: VoiceSettingsRecord },
      },
    },
    async () => writeVoiceSettings(DEFAULT_VOICE_SETTINGS),
  );
  typed.get(
    '/v1/voices/:voice_id/settings',
    {
      schema: {
        tags,
        summary: 'Get the settings of a voice',
        access: { scope: 'voices_read' },
        params: VoiceParams,
        errors: ['voice_id_does_not_exist'],
        response: { 200: VoiceSettingsRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { settings } = await voices.describe(accountId, request.params.voice_id);
      return writeVoiceSettings(settings);
    },
  );
  typed.post(
    '/v1/voices/:voice_id/settings/edit',
    {
      schema: {
        tags,
        summary: 'Store settings',
        access: { scope: 'voices_write' },
        params: VoiceParams,
        body: SettingsBody,
        errors: ['voice_id_does_not_exist'],
        response: { 200: Done },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      await voices.changeSettings(
        accountId,
        request.params.voice_id,
        readVoiceSettings(request.body),
      );
      return DONE;
    },
  );
}
