import { SpeechError } from '../../domain/errors.ts';
import { type Model, resolveModel } from '../../domain/model.ts';
import type { ContextSettings } from '../../synthesis/speech/messages.ts';
import { normalises, type SpeechRequest } from '../../synthesis/speech/speech-request.ts';
import type { LatencyLevel } from '../../synthesis/text/chunk-policy.ts';
import { clampedSpeed } from '../wire/clamped-speed.ts';
import type { CartesiaSpeechFields } from './cartesia-schemas.ts';

/** How fast the older names of speeds are. */
const NAMED_SPEEDS: ReadonlyMap<string, number> = new Map([
  ['slowest', 0.7],
  ['slow', 0.85],
  ['normal', 1],
  ['fast', 1.1],
  ['fastest', 1.2],
]);
const SPEED_RANGE = '0.6 to 1.5';
/** Models are also asked for as they were on a day. */
const DATED_MODEL = /^(sonic(?:-[\w.]+)?)-\d{4}-\d{2}-\d{2}$/;

/** The voice that is named, if one is. @throws SpeechError `invalid_parameters` for an embedding. */
export function cartesiaVoice({ voice }: CartesiaSpeechFields): string | undefined {
  if (voice == null) return undefined;
  if (typeof voice === 'string') return voice || undefined;
  if (voice.mode == null || voice.mode === 'id') return voice.id || undefined;
  throw new SpeechError(
    'invalid_parameters',
    'A voice is named by its id here. Send {"mode":"id","id":"…"}.',
    { param: 'voice' },
  );
}

/** @throws SpeechError `unsupported_model`. */
export function cartesiaModel({ model_id }: CartesiaSpeechFields): Model {
  const id = model_id ?? undefined;
  return resolveModel(DATED_MODEL.exec(id ?? '')?.[1] ?? id);
}

/** How the text is read, but for its format. @param level unless one is asked for. */
export function cartesiaReading(
  { normalization, optimize_streaming_latency: asked }: CartesiaSpeechFields,
  level: LatencyLevel,
): Omit<SpeechRequest, 'format'> {
  const latencyLevel = (asked ?? level) as LatencyLevel;
  return {
    latencyLevel,
    normalise: normalises(normalization === 'off' ? 'off' : 'auto', latencyLevel),
    alignment: 'synchronised',
  };
}

/** @throws SpeechError `invalid_parameters` that names the field at fault. */
export function cartesiaSettings(fields: CartesiaSpeechFields): ContextSettings {
  assertNoPhonemes(fields);
  const { generation_config: config, pronunciation_dict_id: dictionaryId } = fields;
  const speed = clampedSpeed(config?.speed ?? olderSpeed(fields), SPEED_RANGE);
  return {
    voiceSettings: speed === undefined ? {} : { speed },
    ...(dictionaryId && { dictionaries: [{ dictionaryId, versionId: undefined }] }),
  };
}

function olderSpeed({ speed }: CartesiaSpeechFields): number | string | undefined {
  return NAMED_SPEEDS.get(String(speed)) ?? speed ?? undefined;
}

function assertNoPhonemes({ add_phoneme_timestamps: asked }: CartesiaSpeechFields): void {
  if (!asked) return;
  throw new SpeechError(
    'invalid_parameters',
    'There are no times of phonemes here. Leave add_phoneme_timestamps out; add_timestamps has those of words.',
    { param: 'add_phoneme_timestamps' },
  );
}
