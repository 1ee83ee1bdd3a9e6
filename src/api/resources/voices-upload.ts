import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { SpeechError } from '../../domain/errors.ts';
import type { UploadedFile } from '../../domain/uploaded-file.ts';
import type { Uploads } from '../../service/uploads/uploads.ts';
import type { VoiceDirectory } from '../../service/voices/voice-directory.ts';
import type { VoiceRecordings } from '../../service/voices/voice-recordings.ts';
import { allowForms, FORM, readForm } from '../http/multipart-form.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import { MAX_SAMPLES, voiceLimitsOf } from './voice-limits.ts';
import { NewVoiceRecord } from './voice-schemas.ts';

/** A minute and a half of CD quality, far more than a voice is told by. */
const FILE_BYTES = 10 * 2 ** 20;
const FORM_LIMITS = {
  fileField: 'files',
  files: MAX_SAMPLES,
  fileBytes: FILE_BYTES,
  totalBytes: 3 * FILE_BYTES,
};
const UPLOAD_ERRORS = [
  'invalid_input_message',
  'message_too_big',
  'client_too_slow',
  'account_limit_reached',
  'too_many_concurrent_requests',
  'system_busy',
  'insufficient_storage',
] as const;
const MAX_LABELS = 20;
const MAX_LABEL_LENGTH = 200;
const tags = ['Voices'];

const NAME = { minLength: 1, maxLength: 100, description: 'What to call the voice.' };
const Files = Type.Array(
  Type.Unsafe<UploadedFile>({
    contentMediaType: 'audio/wav',
    description: 'WAV: 16-bit PCM, 32-bit float, mu-law or A-law; a second or more.',
  }),
  { minItems: 1, maxItems: MAX_SAMPLES, description: 'Recordings of one person speaking.' },
);
const details = {
  description: Type.Optional(Type.String({ maxLength: 1000, description: 'For people.' })),
  labels: Type.Optional(
    Type.String({
      description: 'A JSON object of texts, such as {"accent":"scottish","gender":"female"}.',
    }),
  ),
  remove_background_noise: Type.Boolean({
    default: false,
    description: 'Whether noise is to be taken out before a voice is made of the recordings.',
  }),
};

const NewVoiceForm = Type.Object({ name: Type.String(NAME), files: Files, ...details });
const EditVoiceForm = Type.Object({
  name: Type.String(NAME),
  files: Type.Optional(Files),
  ...details,
});
const VoiceParams = Type.Object({
  voice_id: Type.String({ description: 'Of a voice that you have added.' }),
});

/** What routes that take recordings need. */
export interface RecordingServices {
  readonly directory: VoiceDirectory;
  readonly recordings: VoiceRecordings;
  readonly uploads: Uploads;
}

/** Voices made of recordings. They are stored and looked at; speaking with them is still to come. */
export function voicesUploadRoutes(
  app: FastifyInstance,
  { directory, recordings, uploads }: RecordingServices,
): void {
  // In a scope of its own, because of its parser.
  void app.register(async (scope) => {
    await allowForms(scope);
    const typed = scope.withTypeProvider<TypeBoxTypeProvider>();
    typed.post(
      '/v1/voices/add',
      {
        schema: {
          tags,
          summary: 'Add a voice from recordings',
          access: { scope: 'voices_write' },
          consumes: FORM,
          body: NewVoiceForm,
          errors: ['voice_limit_reached', ...UPLOAD_ERRORS],
          response: { 200: NewVoiceRecord },
        },
        preValidation: async (request) => {
          const caller = request.caller;
          await directory.assertRoom(caller.accountId, voiceLimitsOf(caller));
          await readForm(request, caller.accountId, uploads, FORM_LIMITS);
        },
      },
      async (request) => {
        const caller = request.caller;
        const { name, description = null, labels, files, remove_background_noise } = request.body;
        const given = {
          name,
          description,
          labels: labelsOf(labels) ?? {},
          recordings: files,
          removeBackgroundNoise: remove_background_noise,
        };
        const voiceId = await recordings.create(caller.accountId, given, voiceLimitsOf(caller));
        return { voice_id: voiceId, requires_verification: false };
      },
    );
    typed.post(
      '/v1/voices/:voice_id/edit',
      {
        schema: {
          tags,
          summary: 'Change a voice that you have added',
          access: { scope: 'voices_write' },
          params: VoiceParams,
          consumes: FORM,
          body: EditVoiceForm,
          errors: ['voice_id_does_not_exist', ...UPLOAD_ERRORS],
          response: { 200: Done },
        },
        preValidation: async (request) => {
          const { accountId } = request.caller;
          await readForm(request, accountId, uploads, FORM_LIMITS);
        },
      },
      async (request) => {
        const caller = request.caller;
        const { name, description, labels, files = [], remove_background_noise } = request.body;
        const change = { name, description, labels: labelsOf(labels) };
        const added = { recordings: files, removeBackgroundNoise: remove_background_noise };
        const { accountId } = caller;
        const { voice_id } = request.params;
        await recordings.change(accountId, voice_id, change, added, voiceLimitsOf(caller));
        return DONE;
      },
    );
  });
}

/** @throws SpeechError `invalid_input_message` for what is not an object of short texts. */
function labelsOf(json: string | undefined): Readonly<Record<string, string>> | undefined {
  if (json === undefined || json === '') return undefined;
  let labels: unknown;
  try {
    labels = JSON.parse(json);
  } catch (cause) {
    throw badLabels(cause);
  }
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) throw badLabels();
  const entries = Object.entries(labels);
  const areShort = entries.every(
    ([key, value]) => typeof value === 'string' && key.length + value.length <= MAX_LABEL_LENGTH,
  );
  if (entries.length > MAX_LABELS || !areShort) throw badLabels();
  return labels as Record<string, string>;
}

function badLabels(cause?: unknown): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `Send labels as a JSON object of at most ${MAX_LABELS} short texts, such as {"accent":"scottish"}.`,
    { param: 'labels', cause },
  );
}
