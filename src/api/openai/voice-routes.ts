import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { SpeechError } from '../../domain/errors.ts';
import type { AccountVoices, KnownVoice } from '../../service/voices/known-voice.ts';
import { OPENAI_ERROR_SHAPE } from './openai-errors.ts';
import { OPENAI_VOICES } from './voice-names.ts';

const OpenAiVoice = Type.Object(
  {
    id: Type.String({ description: 'What to send as voice.' }),
    object: Type.Literal('voice'),
    name: Type.String(),
    language: Type.Optional(Type.String({ description: 'Such as en-US.' })),
    gender: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  },
  { title: 'OpenAiVoice' },
);

/** `GET /v1/audio/voices`, which OpenAI does not have and front ends ask servers like this one. */
export function voiceRoutes(app: FastifyInstance, voices: AccountVoices): void {
  const schema = {
    summary: 'List the voices for clients of OpenAI',
    description: 'OpenAI’s names first. Without a key, only those that everybody may use.',
    tags: ['Other vendors’ wires'],
    access: { scope: 'voices_read', key: 'optional' } as const,
    errorShape: OPENAI_ERROR_SHAPE,
    response: { 200: Type.Object({ voices: Type.Array(OpenAiVoice) }) },
  };
  app.get('/v1/audio/voices', { schema }, async ({ knownCaller }) => {
    const accountId = knownCaller?.accountId;
    const known = await Promise.all(OPENAI_VOICES.map((name) => aliasOf(voices, accountId, name)));
    const listed = (await voices.list(accountId)).map((voice) => record(voice, voice.name));
    return { voices: [...known.flat(), ...listed] };
  });
}

/** None where a folder of models has no table of aliases. */
async function aliasOf(voices: AccountVoices, accountId: string | undefined, name: string) {
  try {
    const voice = await voices.describe(accountId, name);
    return [record(voice, `${name} (${voice.name})`)];
  } catch (thrown) {
    if (thrown instanceof SpeechError && thrown.code === 'voice_id_does_not_exist') return [];
    throw thrown;
  }
}

function record(
  { voiceId, labels, description }: KnownVoice,
  name: string,
): Static<typeof OpenAiVoice> {
  const { locale, gender } = labels;
  return {
    id: voiceId,
    object: 'voice',
    name,
    ...(locale !== undefined && { language: locale }),
    ...(gender !== undefined && { gender }),
    ...(description !== null && { description }),
  };
}
