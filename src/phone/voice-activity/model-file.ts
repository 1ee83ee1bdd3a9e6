import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where set-up puts the model; `models/manifest.json` says where it comes from. */
const MODEL_FILE = join('silero-vad', 'silero_vad_v5.onnx');

/** @returns the model's path; undefined when it is not there. */
export function findVoiceActivityModel(modelsDir: string): string | undefined {
  const path = join(modelsDir, MODEL_FILE);
  return existsSync(path) ? path : undefined;
}

/** Why barge-in by voice cannot be had, for the line that asks for it. */
export const NO_VOICE_ACTIVITY =
  'The caller’s voice cannot interrupt the bot, because the model that hears it is missing. Run: node models/setup.mjs fetch silero-vad';
