import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { VoiceRecordings } from '../../service/voices/voice-recordings.ts';

const SampleParams = Type.Object({
  voice_id: Type.String({ description: 'A voice of your own.' }),
  sample_id: Type.String({ description: 'From the samples in its record.' }),
});

/** The recordings of a voice, as they were uploaded. */
export function voiceSampleRoutes(
  app: FastifyInstance,
  recordings: Pick<VoiceRecordings, 'openSample'>,
): void {
  app.withTypeProvider<TypeBoxTypeProvider>().get(
    '/v1/voices/:voice_id/samples/:sample_id/audio',
    {
      schema: {
        tags: ['Voices'],
        summary: 'Hear a recording of a voice',
        access: { scope: 'voices_read' },
        params: SampleParams,
        errors: ['voice_id_does_not_exist'],
        response: {
          200: {
            description: 'The WAV file, as it was uploaded.',
            content: { 'audio/wav': { schema: {} } },
          },
        },
      },
    },
    async (request, reply) => {
      const { voice_id, sample_id } = request.params;
      const { accountId } = request.caller;
      const { sample, audio } = await recordings.openSample(accountId, voice_id, sample_id);
      return reply.type(sample.mimeType).header('content-length', sample.sizeBytes).send(audio);
    },
  );
}
