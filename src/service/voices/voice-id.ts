import { createHash, randomInt } from 'node:crypto';

const MODEL_LETTERS = 12;
const HASH_LETTERS = 4;
const SPEAKER_DIGITS = 4;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** What a voice id says: the part that stands for the model, and the speaker. */
interface VoiceIdParts {
  readonly modelKey: string;
  readonly speaker: number;
}

/**
 * A voice's id: 20 letters and digits, because clients of the original take any other form for a
 * name. It is readable and never changes: twelve letters of the model's name, four of the name's
 * SHA-256 (so that `en_GB-alan-low` and `en_GB-alan-lowest` differ), and the speaker.
 * @param speaker 0–9999.
 * @throws RangeError for a speaker that four digits cannot hold.
 */
export function voiceIdOf(modelId: string, speaker: number): string {
  if (!Number.isInteger(speaker) || speaker < 0 || speaker >= 10 ** SPEAKER_DIGITS) {
    throw new RangeError(`A voice id can name speakers 0 to 9999, not ${speaker}.`);
  }
  return modelKeyOf(modelId) + String(speaker).padStart(SPEAKER_DIGITS, '0');
}

/** The id of a voice that somebody makes: of the same form, and like no other. */
export function newVoiceId(): string {
  const length = MODEL_LETTERS + HASH_LETTERS + SPEAKER_DIGITS;
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** The first 16 characters of the ids of all of a model's voices. */
export function modelKeyOf(modelId: string): string {
  const letters = modelId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, MODEL_LETTERS);
  const hash = createHash('sha256').update(modelId).digest();
  const marks = Array.from({ length: HASH_LETTERS }, (_, index) =>
    ALPHABET.charAt((hash[index] ?? 0) % ALPHABET.length),
  );
  return letters.padEnd(MODEL_LETTERS, 'x') + marks.join('');
}

/** Who has a voice in the library: all speakers of a model have one owner, named like their ids. */
export function libraryOwnerOf(voiceId: string): string {
  return voiceId.slice(0, MODEL_LETTERS + HASH_LETTERS);
}

/** @returns undefined for text that has not the form of a voice id. */
export function parseVoiceId(voiceId: string): VoiceIdParts | undefined {
  const match = /^([A-Za-z0-9]{16})(\d{4})$/.exec(voiceId);
  if (!match?.[1]) return undefined;
  return { modelKey: match[1], speaker: Number(match[2]) };
}
