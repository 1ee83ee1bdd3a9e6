import { Compile } from 'typebox/compile';
import { assertSchema } from '../../domain/schema-errors.ts';
import type { ContextSettings } from '../../synthesis/speech/messages.ts';
import type { CharacterTimes } from '../../synthesis/text/alignment.ts';
import { frameSettings, parseJson } from '../stream/frames.ts';
import { assertNotForeign } from '../wire/foreign-frames.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { readSpelled } from '../wire/spelled-values.ts';
import {
  type DialogueAlignment,
  type DialogueFrame,
  DialogueFrameSchema,
} from './dialogue-frame-schemas.ts';

const validator = Compile(DialogueFrameSchema);
const ADVICE = 'Send {"voices":["…"]}, then {"inputs":[{"text":"…","voice_id":"…"}]}.';

/** @throws SpeechError `invalid_input_message` that names the field at fault. */
export function parseDialogueFrame(message: string): DialogueFrame {
  const value = readSpelled(parseJson(message, ADVICE), DialogueFrameSchema as JsonSchema);
  assertNotForeign(value, 'dialogue');
  assertSchema(validator, value, { subject: 'Invalid message: ', advice: ADVICE });
  return value as DialogueFrame;
}

/** The settings that a frame carries; undefined when it carries none. */
export function dialogueSettings(frame: DialogueFrame): ContextSettings | undefined {
  const settings = frameSettings(frame);
  return frame.voices ? { ...settings, voices: frame.voices } : settings;
}

/** Times of one message, which count from its first character: clients add up what messages last. */
export function restartedAlignment(times: CharacterTimes): DialogueAlignment {
  const [startMs = 0] = times.charStartTimesMs;
  return {
    chars: times.chars,
    char_start_times_ms: times.charStartTimesMs.map((atMs) => atMs - startMs),
    char_durations_ms: times.charDurationsMs,
  };
}
