import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { DEFAULT_VOICE_SETTINGS, type VoiceSettings } from '../../domain/voice.ts';
import type { VoiceDirectory } from '../../service/voices/voice-directory.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import { SettingsRecord } from './voice-schemas.ts';

const tags = ['Voices'];

/** Lists of types, because the validator would turn a null into a zero. */
const setting = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({ type: ['number', 'null'], minimum, maximum, description }),
  );

const SettingsBody = Type.Object(
  {
    stability: setting(0, 1, 'How alike repeated readings are; lower varies more.'),
    similarity_boost: setting(0, 1, 'Accepted for compatibility; the voices do not use it.'),
    style: setting(0, 1, 'Expressiveness: more movement, of rhythm above all.'),
    use_speaker_boost: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Accepted for compatibility; the voices do not use it.',
      }),
    ),
    speed: setting(0.7, 1.2, "Pace; 1 is the voice's own."),
  },
  { description: 'What is left out, or null, stays as it is.' },
);

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
        response: { 200: SettingsRecord },
      },
    },
    async () => wireSettings(DEFAULT_VOICE_SETTINGS),
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
        response: { 200: SettingsRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { settings } = await voices.describe(accountId, request.params.voice_id);
      return wireSettings(settings);
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
      await voices.changeSettings(accountId, request.params.voice_id, changeOf(request.body));
      return DONE;
    },
  );
}

/** Settings as clients read them (PROTOCOL §3.1). */
export function wireSettings(settings: VoiceSettings) {
  return {
    stability: settings.stability,
    similarity_boost: settings.similarityBoost,
    style: settings.style,
    use_speaker_boost: settings.useSpeakerBoost,
    speed: settings.speed,
  };
}

function changeOf(body: Type.Static<typeof SettingsBody>): Partial<VoiceSettings> {
  const { stability, similarity_boost, style, use_speaker_boost, speed } = body;
  return {
    ...(stability != null && { stability }),
    ...(similarity_boost != null && { similarityBoost: similarity_boost }),
    ...(style != null && { style }),
    ...(use_speaker_boost != null && { useSpeakerBoost: use_speaker_boost }),
    ...(speed != null && { speed }),
  };
}
