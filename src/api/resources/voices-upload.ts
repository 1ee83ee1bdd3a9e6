import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import { MAX_SAMPLES, type VoiceRecordings } from '../../service/voices/voice-recordings.ts';
import { callerOf, type KeyChecker } from '../http/authenticate.ts';
import { allowForms, FORM, readForm, type UploadedFile } from '../http/multipart-form.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import { NewVoiceRecord } from './voice-schemas.ts';

/** A minute and a half of CD quality, far more than a voice is told by. */
const FILE_BYTES = 10 * 2 ** 20;
const FORM_LIMITS = {
  fileField: 'files',
  files: MAX_SAMPLES,
  fileBytes: FILE_BYTES,
  totalBytes: 3 * FILE_BYTES,
};
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

/** Voices made of recordings. They are stored and looked at; speaking with them is still to come. */
export function voicesUploadRoutes(
  app: FastifyInstance,
  keys: KeyChecker,
  recordings: VoiceRecordings,
  assertRoom: (caller: Caller) => Promise<void>,
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
          consumes: FORM,
          body: NewVoiceForm,
          errors: ['invalid_input_message', 'voice_limit_reached'],
          response: { 200: NewVoiceRecord },
        },
        preValidation: async (request) => {
          await assertRoom(await callerOf(request, keys));
          await readForm(request, FORM_LIMITS);
        },
      },
      async (request) => {
        const { accountId } = await callerOf(request, keys);
        const { name, description = null, labels, files, remove_background_noise } = request.body;
        const voiceId = await recordings.create(accountId, {
          name,
          description,
          labels: labelsOf(labels) ?? {},
          recordings: files,
          removeBackgroundNoise: remove_background_noise,
        });
        return { voice_id: voiceId, requires_verification: false };
      },
    );
    typed.post(
      '/v1/voices/:voice_id/edit',
      {
        schema: {
          tags,
          summary: 'Change a voice that you have added',
          params: VoiceParams,
          consumes: FORM,
          body: EditVoiceForm,
          errors: ['invalid_input_message', 'voice_id_does_not_exist'],
          response: { 200: Done },
        },
        preValidation: async (request) => {
          await callerOf(request, keys);
          await readForm(request, FORM_LIMITS);
        },
      },
      async (request) => {
        const { accountId } = await callerOf(request, keys);
        const { name, description, labels, files = [], remove_background_noise } = request.body;
        const change = { name, description, labels: labelsOf(labels) };
        const { voice_id } = request.params;
        await recordings.change(accountId, voice_id, change, files, remove_background_noise);
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
