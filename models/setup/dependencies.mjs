// @ts-check
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [link]
 */

/**
 * Installs the dependencies of `package-lock.json`, unless they are there. No package's install script
 * runs: none is needed, and onnxruntime-node's would download parts for graphics cards from a third host.
 *
 * @param {string} projectFolder
 * @param {{ withDevelopment: boolean }} options A development install also serves a start.
 * @throws {SetupError} when npm fails.
 */
export async function installDependencies(projectFolder, { withDevelopment }) {
  if (await areInstalled(projectFolder, withDevelopment)) return;
  console.log('Installing dependencies (npm ci)…');
  const kinds = withDevelopment ? ['--include=dev'] : ['--omit=dev'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runNpm(['ci', ...kinds, ...quiet], projectFolder);
}

/**
 * Whether `node_modules` holds what the lock file asks for, by the record that npm keeps of what it
 * installed (`node_modules/.package-lock.json`); npm writes that record last.
 *
 * @param {string} projectFolder
 * @param {boolean} withDevelopment
 * @returns {Promise<boolean>}
 */
export async function areInstalled(projectFolder, withDevelopment) {
  const wanted = await readLock(path.join(projectFolder, 'package-lock.json'));
  const installed = await readLock(path.join(projectFolder, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([place, locked]) => {
    // Optional ones are mostly other platforms' builds; npm decides which of them belong here.
    if (place === '' || locked.optional || locked.devOptional || locked.link) return true;
    if (locked.dev && !withDevelopment) return true;
    const found = installed[place];
    return found?.version === locked.version && found?.integrity === locked.integrity;
  });
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, LockedPackage> | undefined>}
 */
async function readLock(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Runs the npm that runs us, or the one on the path.
 * @param {readonly string[]} words
 * @param {string} projectFolder
 * @returns {Promise<void>}
 */
function runNpm(words, projectFolder) {
  const runningNpm = process.env['npm_execpath'] ?? '';
  const isNpm = /npm-cli\.[cm]?js$/.test(runningNpm);
  const command = isNpm ? process.execPath : 'npm';
  const child = spawn(command, isNpm ? [runningNpm, ...words] : words, {
    cwd: projectFolder,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: 'inherit',
    // Windows finds npm only as a shell script.
    shell: !isNpm && process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.on('error', (cause) =>
      reject(new SetupError(`npm cannot run: ${cause.message}`, { cause })),
    );
    child.on('exit', (code) => {
      if (code === 0) return resolve();
      const what = `npm ci failed (exit code ${code}); its own message is above.`;
      const remedy = 'Check the registry (npm config get registry) and the proxy, then try again.';
      reject(new SetupError(`${what} ${remedy}`));
    });
  });
}
