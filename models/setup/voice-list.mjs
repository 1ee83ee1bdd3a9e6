// @ts-check
import { VerifiedFiles } from './verify.mjs';

/**
 * Prints the manifest's voices, one a line: whether it is on this machine, id, languages, rate and licence.
 * @param {readonly import('./manifest.mjs').Voice[]} voices
 * @param {string} modelsFolder
 */
export async function listVoices(voices, modelsFolder) {
  const verified = new VerifiedFiles(modelsFolder);
  for (const voice of voices.filter(({ speakers }) => speakers > 0)) {
    const held = await Promise.all(voice.files.map((file) => verified.holds(file)));
    const mark = held.every(Boolean) ? 'here' : '-';
    const languages = voice.languages.join(', ').padEnd(8);
    const speakers = `${voice.speakers}`.padStart(3);
    console.log(
      `${mark.padEnd(5)} ${voice.id.padEnd(30)} ${languages} ${speakers} × ${voice.sampleRate} Hz  ${voice.licence}`,
    );
  }
}
