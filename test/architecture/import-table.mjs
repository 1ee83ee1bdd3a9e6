/**
 * Who may import whom, besides itself and `domain`. `src/README.md` prints this table.
 *
 * @typedef {object} FolderRule
 * @property {string} folder under `src`
 * @property {readonly string[]} project folders it may import, or single files
 * @property {readonly string[]} packages npm packages it may import
 * @property {boolean} [pure] whether it must do without Node's own modules as well
 */

/** @type {readonly FolderRule[]} */
export const IMPORT_TABLE = [
  { folder: 'domain', project: [], packages: [], pure: true },
  { folder: 'threads', project: [], packages: [] },
  { folder: 'text', project: [], packages: [], pure: true },
  {
    folder: 'phonemes',
    project: ['text', 'threads'],
    packages: ['@echogarden/espeak-ng-emscripten'],
  },
  { folder: 'audio', project: [], packages: [] },
  { folder: 'engine', project: ['threads'], packages: ['onnxruntime-node', 'onnx-proto'] },
  { folder: 'voices', project: [], packages: [] },
  { folder: 'speech', project: ['text', 'audio', 'engine/engine.ts'], packages: [] },
  { folder: 'telemetry', project: ['speech'], packages: ['prom-client'] },
  { folder: 'socket', project: ['speech'], packages: ['ws'] },
  {
    folder: 'stream',
    project: ['socket', 'speech', 'text'],
    packages: ['fastify', '@fastify/websocket', 'typebox', 'ws'],
  },
  { folder: 'storage', project: [], packages: ['libsql', 'kysely'] },
  { folder: 'account', project: ['storage/storage.ts'], packages: [] },
  {
    folder: 'api',
    project: ['account'],
    packages: ['fastify', 'typebox', '@fastify/type-provider-typebox'],
  },
  { folder: 'cli', project: ['audio'], packages: ['commander', 'ws'] },
];

/** Files that stand in `src` itself, and what of the project they may import. */
export const ROOT_FILES = {
  'config.ts': 'nothing',
  'app.ts': 'anything but main.ts',
  'main.ts': 'anything',
};
