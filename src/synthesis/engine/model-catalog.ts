import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readVoiceConfig, type VoiceConfig } from './voice-config.ts';

/** A voice file that is present, with its settings. */
export interface EngineModel {
  /** File stem, such as `en_US-libritts_r-medium`. */
  readonly id: string;
  readonly modelPath: string;
  readonly config: VoiceConfig;
}

/** A file that looks like a voice and cannot be used as one. */
export interface ModelProblem {
  readonly path: string;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
}

export interface ModelScan {
  /** Ordered by id. */
  readonly models: readonly EngineModel[];
  readonly problems: readonly ModelProblem[];
}

/**
 * Finds the voices in `modelsDir`: `<id>.onnx` or `<id>/<id>.onnx`, each with `<id>.onnx.json` beside
 * it. Settings without a voice file are ignored; a voice without usable settings is a problem.
 */
export function scanModels(modelsDir: string): ModelScan {
  const models = new Map<string, EngineModel>();
  const problems: ModelProblem[] = [];
  for (const { id, modelPath } of findVoiceFiles(modelsDir)) {
    const configPath = `${modelPath}.json`;
    if (models.has(id)) {
      problems.push({
        path: modelPath,
        message: `There are two voices "${id}": remove this one.`,
      });
      continue;
    }
    try {
      models.set(id, { id, modelPath, config: readVoiceConfig(configPath) });
    } catch (thrown) {
      const reason = existsSync(configPath)
        ? `cannot be used: ${(thrown as Error).message}`
        : 'is missing';
      problems.push({
        path: modelPath,
        message: `Its settings file ${id}.onnx.json ${reason}. Put the one published with the voice beside it.`,
      });
    }
  }
  return {
    models: [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    problems,
  };
}

function findVoiceFiles(modelsDir: string): { id: string; modelPath: string }[] {
  if (!existsSync(modelsDir)) return [];
  return readdirSync(modelsDir, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    if (entry.name.endsWith('.onnx')) {
      return [
        {
          id: entry.name.slice(0, -'.onnx'.length),
          modelPath: join(modelsDir, entry.name),
        },
      ];
    }
    const modelPath = join(modelsDir, entry.name, `${entry.name}.onnx`);
    return existsSync(modelPath) ? [{ id: entry.name, modelPath }] : [];
  });
}
