import type { TestCarrierConnection } from './call-carrier.ts';
import { readTones } from './tone-engine.ts';

const SAMPLES_PER_LETTER = 1024;

/**
 * The text that the tone engine spoke into a call of `pcm_22050`: one string for what was heard up to
 * each clear, and one for the rest. Letters of which less than half was heard are left out.
 */
export function textHeard(connection: TestCarrierConnection): readonly string[] {
  const bytes = Uint8Array.from(connection.heard);
  const bounds = [0, ...connection.clearedAt, bytes.length];
  return bounds.slice(1).map((end, index) => readLetters(bytes.subarray(bounds[index], end)));
}

function readLetters(bytes: Uint8Array): string {
  const samples = new Int16Array(bytes.slice().buffer, 0, bytes.length >> 1);
  let text = '';
  for (let at = 0; at < samples.length; ) {
    // A tone begins with a zero of its own, padding is made of nothing else.
    if (samples[at] === 0 && (samples[at + 1] ?? 0) === 0) {
      at++;
      continue;
    }
    const letter = bytes.subarray(2 * at, 2 * (at + SAMPLES_PER_LETTER));
    if (letter.length >= SAMPLES_PER_LETTER) text += readTones(letter).slice(0, 1);
    at += SAMPLES_PER_LETTER;
  }
  return text;
}
