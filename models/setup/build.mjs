// @ts-check
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from './lock.mjs';
import { SetupError } from './setup-error.mjs';

const STAMP = '.stamp';
const DRAFT_PREFIX = '.draft-';

/**
 * Compiles `src` to `dist` unless `dist` is up to date. Types are not checked here (`npm run typecheck`
 * does). Files are replaced one by one and whole, so a server that runs from `dist` meanwhile never reads
 * half of one; outputs whose source is gone are removed.
 *
 * @param {string} [projectFolder]
 * @throws {SetupError} when the source does not parse.
 */
export async function build(projectFolder = fileURLToPath(new URL('../..', import.meta.url))) {
  const output = path.join(projectFolder, 'dist');
  if (await isFresh(projectFolder, output)) return;
  await withLock(
    path.join(output, '.lock'),
    () => undefined,
    async () => {
      // Stamped with what the source was before compiling: an edit meanwhile means another build.
      const stamp = await sourceHash(projectFolder);
      if ((await read(path.join(output, STAMP))) === stamp) return;
      await compile(projectFolder, output);
      await writeFile(path.join(output, STAMP), stamp);
    },
  );
}

/**
 * @param {string} projectFolder
 * @param {string} output
 */
async function isFresh(projectFolder, output) {
  return (await read(path.join(output, STAMP))) === (await sourceHash(projectFolder));
}

/**
 * @param {string} projectFolder
 * @param {string} output
 */
async function compile(projectFolder, output) {
  // A draft that lies here belonged to a build that was killed: we hold the lock.
  for (const entry of await readdir(output)) {
    if (entry.startsWith(DRAFT_PREFIX)) await rm(path.join(output, entry), { recursive: true });
  }
  const existing = await filesBelow(output);
  const draft = path.join(output, `${DRAFT_PREFIX}${process.pid}`);
  await runCompiler(projectFolder, draft);
  const compiled = await filesBelow(draft);
  for (const file of compiled) {
    const place = path.join(output, file);
    if (file.endsWith('.map')) await correctMap(path.join(draft, file), place);
    await mkdir(path.dirname(place), { recursive: true });
    await rename(path.join(draft, file), place);
  }
  await rm(draft, { recursive: true, force: true });
  const current = new Set(compiled);
  for (const file of existing) {
    if (!current.has(file)) await rm(path.join(output, file), { force: true });
  }
  // The image has a link to this file.
  if (current.has(path.join('tools', 'cli', 'main.js')))
    await chmod(path.join(output, 'tools', 'cli', 'main.js'), 0o755);
}

/**
 * @param {string} projectFolder
 * @param {string} draft
 */
async function runCompiler(projectFolder, draft) {
  const compiler = path.join(projectFolder, 'node_modules', 'typescript', 'lib', 'tsc.js');
  const words = [compiler, '-p', 'src/tsconfig.json', '--noCheck', '--outDir', draft];
  try {
    await promisify(execFile)(process.execPath, words, { cwd: projectFolder });
  } catch (cause) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (
      cause
    );
    throw new SetupError(`The source does not compile:\n${stdout}${stderr}`.trimEnd(), { cause });
  }
}

/**
 * A source map names its source relative to itself, and the draft lies one folder deeper than its place.
 * @param {string} map
 * @param {string} place
 */
async function correctMap(map, place) {
  const content = JSON.parse(await readFile(map, 'utf8'));
  content.sources = content.sources.map((/** @type {string} */ source) => {
    const absolute = path.resolve(path.dirname(map), source);
    return path.relative(path.dirname(place), absolute).split(path.sep).join('/');
  });
  await writeFile(map, JSON.stringify(content));
}

/** @param {string} projectFolder */
async function sourceHash(projectFolder) {
  const hash = createHash('sha256');
  const sources = await filesBelow(path.join(projectFolder, 'src'));
  const files = [
    'package-lock.json',
    'tsconfig.json',
    ...sources.map((file) => path.join('src', file)),
  ];
  for (const file of files.sort()) {
    // A file that vanished since it was listed counts as empty; the next build sees it gone.
    const content = (await read(path.join(projectFolder, file))) ?? '';
    hash.update(`${file}\0${content.length}\0${content}`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} relative paths of sources or outputs in it, at any depth.
 */
async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries.filter((entry) => /\.(ts|json|js|map)$/.test(entry));
}

/** @param {string} file */
async function read(file) {
  return readFile(file, 'utf8').catch(() => undefined);
}
