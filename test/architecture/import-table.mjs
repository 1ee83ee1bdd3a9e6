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
  { folder: 'audio', project: [], packages: ['wasm-media-encoders', 'libopus-wasm'] },
  { folder: 'engine', project: ['threads'], packages: ['onnxruntime-node', 'onnx-proto'] },
  { folder: 'voices', project: ['storage/voice-store.ts'], packages: [] },
  {
    folder: 'dictionaries',
    project: ['text', 'storage/dictionary-store.ts'],
    packages: ['saxes'],
  },
  {
    folder: 'webhooks',
    project: ['storage/webhook-store.ts', 'storage/outbox-store.ts'],
    packages: [],
  },
  { folder: 'speech', project: ['text', 'audio', 'engine/engine.ts'], packages: [] },
  { folder: 'telemetry', project: ['speech'], packages: ['prom-client'] },
  { folder: 'socket', project: ['speech'], packages: ['ws'] },
  {
    folder: 'stream',
    project: ['socket', 'speech', 'text', 'account'],
    packages: ['fastify', '@fastify/websocket', 'typebox', 'ws'],
  },
  { folder: 'storage', project: [], packages: ['libsql', 'kysely', 'pg', 'aws4fetch'] },
  {
    folder: 'rest-speech',
    project: ['speech', 'text', 'audio', 'account'],
    packages: ['fastify', 'typebox', '@fastify/type-provider-typebox'],
  },
  {
    folder: 'account',
    project: [
      'storage/storage.ts',
      'storage/account-store.ts',
      'storage/blob-store.ts',
      'storage/history-store.ts',
      'storage/token-store.ts',
      'storage/usage-store.ts',
    ],
    packages: [],
  },
  {
    folder: 'api',
    project: ['account', 'voices', 'dictionaries', 'webhooks', 'storage/dictionary-store.ts'],
    packages: [
      'fastify',
      'typebox',
      '@fastify/type-provider-typebox',
      '@fastify/multipart',
      'fflate',
    ],
  },
  { folder: 'voice-activity', project: ['threads'], packages: ['onnxruntime-node'] },
  { folder: 'calls', project: ['speech', 'text', 'audio', 'voice-activity'], packages: [] },
  { folder: 'lines', project: ['calls', 'text'], packages: ['typebox', 'yaml'] },
  {
    folder: 'carriers',
    project: ['calls', 'audio', 'socket'],
    packages: ['fastify', '@fastify/websocket', 'typebox', 'ws'],
  },
  {
    folder: 'bots',
    project: ['calls', 'lines', 'speech', 'socket', 'stream'],
    packages: ['fastify', '@fastify/websocket', 'typebox', 'ws'],
  },
  { folder: 'desk-phone', project: ['audio', 'calls/carrier.ts'], packages: ['ws'] },
  {
    folder: 'cli',
    project: ['audio', 'desk-phone', 'storage/backup.ts'],
    packages: ['commander', 'ws'],
  },
];

/** Files that stand in `src` itself, and what of the project they may import. */
export const ROOT_FILES = {
  'config.ts': 'nothing',
  'app.ts': 'anything but main.ts',
  'open-service.ts': 'anything but main.ts',
  'open-phone.ts': 'anything but main.ts',
  'main.ts': 'anything',
};
