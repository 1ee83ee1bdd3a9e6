import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { SpeechError } from '../../domain/errors.ts';
import { OnnxGraph } from './onnx-graph.ts';
import { CUT_VERSION, cutPiperVoice, type StageFacts } from './piper-stages.ts';

export const STAGES = ['text', 'flow', 'decoder'] as const;

/** A voice that is cut, ready to be loaded. */
export interface CutVoice {
  /** Holds one `.onnx` file for each of `STAGES`. */
  readonly directory: string;
  readonly facts: StageFacts;
}

interface Meta {
  readonly facts: StageFacts;
  /** Bytes of each stage's file: a power cut may leave a file short. */
  readonly sizes: Readonly<Record<string, number>>;
}

const META_FILE = 'stages.json';
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST']);

/**
 * Cuts a voice, or finds what an earlier call left: `<folder>/v<version>/<sha256 of the voice>/`.
 * Blocks its thread for about a second the first time, for about a millisecond afterwards.
 *
 * @param modelPath a Piper `.onnx` file.
 * @param folders to keep the stages in; the first one that can be written is used.
 * @throws SpeechError `voice_file_corrupt`; `voice_not_ready` when no folder can be written.
 */
export function cutVoice(modelPath: string, folders: readonly string[]): CutVoice {
  const versioned = folders.map((folder) => join(folder, `v${CUT_VERSION}`));
  const source = new VoiceSource(modelPath, versioned);
  for (const folder of versioned) {
    const cut = readCut(join(folder, source.sha256));
    if (cut) return cut;
  }
  const files = cutFiles(source);
  const failures: string[] = [];
  for (const folder of versioned) {
    try {
      const cut = writeCut(folder, source.sha256, files);
      source.remember(folder);
      return cut;
    } catch (thrown) {
      const { code, message } = thrown as NodeJS.ErrnoException;
      if (!NOT_WRITABLE.has(code ?? '')) throw thrown;
      failures.push(message);
    }
  }
  throw new SpeechError(
    'voice_not_ready',
    `The voice ${basename(modelPath)} cannot be prepared, because no folder for it can be written ` +
      `(${failures.join('; ')}): free some space, or let the server write to its data folder.`,
  );
}

/** A voice file, and what is known of it without reading it all. */
class VoiceSource {
  readonly #path: string;
  readonly #identity: string;
  readonly #noteName: string;
  #bytes: Buffer | undefined;
  readonly sha256: string;

  constructor(path: string, folders: readonly string[]) {
    this.#path = path;
    try {
      const { size, mtimeMs } = statSync(path);
      this.#identity = JSON.stringify({ path: resolve(path), size, mtimeMs });
    } catch (cause) {
      throw corrupt(path, 'is missing', cause);
    }
    this.#noteName = `${createHash('sha256').update(resolve(path)).digest('hex')}.json`;
    this.sha256 = this.#recall(folders) ?? createHash('sha256').update(this.bytes).digest('hex');
  }

  get path(): string {
    return this.#path;
  }

  get bytes(): Buffer {
    try {
      this.#bytes ??= readFileSync(this.#path);
      return this.#bytes;
    } catch (cause) {
      throw corrupt(this.#path, 'cannot be read', cause);
    }
  }

  /** Keeps the hash, so that the next start need not read the file. */
  remember(folder: string): void {
    const note = { identity: this.#identity, sha256: this.sha256 };
    const path = join(folder, this.#noteName);
    const temporary = `${path}.${process.pid}.${performance.now()}`;
    writeFileSync(temporary, JSON.stringify(note));
    renameSync(temporary, path);
  }

  #recall(folders: readonly string[]): string | undefined {
    for (const folder of folders) {
      const note = readJson<{ identity: string; sha256: string }>(join(folder, this.#noteName));
      if (note?.identity === this.#identity) return note.sha256;
    }
    return undefined;
  }
}

interface CutFiles {
  readonly facts: StageFacts;
  readonly bytes: ReadonlyMap<string, Uint8Array>;
}

function cutFiles(source: VoiceSource): CutFiles {
  try {
    const stages = cutPiperVoice(OnnxGraph.parse(source.bytes));
    return {
      facts: stages.facts,
      bytes: new Map(STAGES.map((stage) => [stage, stages[stage].serialise()])),
    };
  } catch (cause) {
    if (cause instanceof SpeechError) throw cause;
    throw corrupt(source.path, `is damaged or no Piper voice (${(cause as Error).message})`, cause);
  }
}

/** Another process may be writing the same; the one that renames first wins, and both are right. */
function writeCut(folder: string, sha256: string, { facts, bytes }: CutFiles): CutVoice {
  mkdirSync(folder, { recursive: true });
  const directory = join(folder, sha256);
  const temporary = mkdtempSync(join(folder, 'cutting-'));
  try {
    const sizes = Object.fromEntries(Array.from(bytes, ([stage, { length }]) => [stage, length]));
    for (const [stage, content] of bytes) writeFileSync(join(temporary, `${stage}.onnx`), content);
    writeFileSync(join(temporary, META_FILE), JSON.stringify({ facts, sizes } satisfies Meta));
    if (existsSync(directory) && !readCut(directory)) rmSync(directory, { recursive: true });
    renameSync(temporary, directory);
  } catch (thrown) {
    rmSync(temporary, { recursive: true, force: true });
    const cut = readCut(directory);
    if (cut) return cut;
    throw thrown;
  }
  return { directory, facts };
}

function readCut(directory: string): CutVoice | undefined {
  const meta = readJson<Meta>(join(directory, META_FILE));
  const isWhole =
    meta &&
    STAGES.every((stage) => {
      const file = statSync(join(directory, `${stage}.onnx`), {
        throwIfNoEntry: false,
      });
      return file?.size === meta.sizes[stage];
    });
  return isWhole ? { directory, facts: meta.facts } : undefined;
}

/** The content of a file that this module wrote; nothing when it is absent or not whole. */
function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** The error for a voice file that cannot be used, with its remedy. */
export function corrupt(modelPath: string, fault: string, cause: unknown): SpeechError {
  const file = basename(modelPath);
  return new SpeechError(
    'voice_file_corrupt',
    `The voice file ${file} ${fault}: fetch it again with ` +
      `"node models/setup.mjs fetch ${basename(file, '.onnx')}", or put a whole one in its place.`,
    { cause },
  );
}
