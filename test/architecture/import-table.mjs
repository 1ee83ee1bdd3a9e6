/**
 * Who may import whom. `src/README.md` prints both tables.
 *
 * @typedef {object} WingRule
 * @property {string} wing folder in `src`
 * @property {readonly string[]} wings that its rooms may import from, besides itself and `domain`
 *
 * @typedef {object} RoomRule
 * @property {string} room folder under `src`: a folder of a wing, or a wing without rooms
 * @property {readonly string[]} project rooms it may import, or single files, besides itself and `domain`
 * @property {readonly string[]} packages npm packages it may import
 * @property {boolean} [pure] whether it must do without Node's own modules as well
 */

/** @type {readonly WingRule[]} */
export const WINGS = [
  { wing: 'domain', wings: [] },
  { wing: 'threads', wings: [] },
  { wing: 'synthesis', wings: ['threads'] },
  { wing: 'service', wings: ['synthesis', 'threads'] },
  { wing: 'telemetry', wings: ['synthesis'] },
  { wing: 'api', wings: ['synthesis', 'service'] },
  { wing: 'phone', wings: ['synthesis', 'api', 'threads'] },
  { wing: 'tools', wings: ['synthesis', 'service', 'environment.ts', 'node-version.ts'] },
];

const ROUTES = ['fastify', 'typebox', '@fastify/type-provider-typebox'];
const SOCKET_ROUTES = ['fastify', '@fastify/websocket', 'typebox', 'ws'];

/** @type {readonly RoomRule[]} */
export const ROOMS = [
  { room: 'domain', project: [], packages: [], pure: true },
  { room: 'threads', project: [], packages: [] },
  { room: 'synthesis/text', project: [], packages: [], pure: true },
  {
    room: 'synthesis/phonemes',
    project: ['synthesis/text', 'threads'],
    packages: ['@echogarden/espeak-ng-emscripten', 'any-ascii'],
  },
  { room: 'synthesis/graph', project: [], packages: ['onnxruntime-node', 'onnx-proto'] },
  {
    room: 'synthesis/engine',
    project: ['synthesis/graph', 'threads'],
    packages: ['onnxruntime-node'],
  },
  {
    room: 'synthesis/audio',
    project: [],
    packages: ['alawmulaw', 'wasm-media-encoders', 'libopus-wasm'],
  },
  {
    room: 'synthesis/speech',
    project: ['synthesis/text', 'synthesis/audio', 'synthesis/engine/engine.ts'],
    packages: [],
  },
  {
    room: 'service/storage',
    project: ['threads'],
    packages: ['libsql', 'kysely', 'pg', 'aws4fetch'],
  },
  {
    room: 'service/account',
    project: [
      'service/storage/storage.ts',
      'service/storage/last-known.ts',
      'service/storage/storage-fault.ts',
      'service/storage/account-store.ts',
      'service/storage/blob-store.ts',
      'service/storage/history-store.ts',
      'service/storage/token-store.ts',
      'service/storage/usage-store.ts',
      'service/storage/storage-fault.ts',
    ],
    packages: [],
  },
  {
    room: 'service/voices',
    project: ['service/storage/voice-store.ts', 'service/storage/last-known.ts'],
    packages: [],
  },
  {
    room: 'service/dictionaries',
    project: ['synthesis/text', 'service/storage/dictionary-store.ts'],
    packages: ['saxes'],
  },
  {
    room: 'service/webhooks',
    project: [
      'service/account/address-list.ts',
      'service/storage/webhook-store.ts',
      'service/storage/outbox-store.ts',
    ],
    packages: [],
  },
  { room: 'service/uploads', project: [], packages: [] },
  { room: 'telemetry', project: ['synthesis/speech'], packages: ['prom-client'] },
  { room: 'api/wire', project: [], packages: ['typebox'] },
  {
    room: 'api/identity',
    project: ['service/account'],
    packages: ['fastify', '@fastify/websocket', 'rate-limiter-flexible'],
  },
  {
    room: 'api/http',
    project: ['api/identity', 'api/wire', 'service/account', 'service/uploads'],
    packages: ['fastify', 'typebox', '@fastify/multipart', 'pino', 'pino-pretty'],
  },
  {
    room: 'api/documents',
    project: ['api/http', 'api/identity', 'api/wire'],
    packages: [...ROUTES, 'marked'],
  },
  {
    room: 'api/resources',
    project: [
      'api/http',
      'api/identity',
      'api/wire',
      'service/account',
      'service/voices',
      'service/dictionaries',
      'service/webhooks',
      'service/uploads',
      'service/storage/dictionary-store.ts',
    ],
    packages: [...ROUTES, 'fflate'],
  },
  {
    room: 'api/rest-speech',
    project: [
      'synthesis/speech',
      'synthesis/text',
      'synthesis/audio',
      'service/account',
      'api/identity',
      'api/wire',
    ],
    packages: ROUTES,
  },
  {
    room: 'api/openai',
    project: ['api/rest-speech', 'api/wire', 'service/account', 'service/voices'],
    packages: ROUTES,
  },
  { room: 'api/websocket', project: ['synthesis/speech'], packages: ['ws'] },
  {
    room: 'api/stream',
    project: [
      'api/websocket',
      'api/identity',
      'api/wire',
      'synthesis/speech',
      'synthesis/text',
      'service/account',
    ],
    packages: SOCKET_ROUTES,
  },
  {
    room: 'api/dialogue',
    project: [
      'api/stream',
      'api/rest-speech',
      'api/websocket',
      'api/wire',
      'synthesis/speech',
      'synthesis/text',
      'service/account',
    ],
    packages: ROUTES,
  },
  {
    room: 'api/deepgram',
    project: [
      'api/stream',
      'api/rest-speech',
      'api/websocket',
      'api/wire',
      'synthesis/speech',
      'synthesis/text',
      'synthesis/audio',
      'service/account',
    ],
    packages: ROUTES,
  },
  {
    room: 'api/cartesia',
    project: [
      'api/http/json-body.ts',
      'api/stream',
      'api/rest-speech',
      'api/websocket',
      'api/wire',
      'synthesis/speech',
      'synthesis/text',
      'service/account',
      'service/voices',
    ],
    packages: ROUTES,
  },
  { room: 'phone/voice-activity', project: ['threads'], packages: ['onnxruntime-node'] },
  {
    room: 'phone/calls',
    project: [
      'synthesis/speech',
      'synthesis/text',
      'synthesis/audio',
      'phone/voice-activity',
      'api/websocket/key-watch.ts',
    ],
    packages: [],
  },
  {
    room: 'phone/lines',
    project: ['phone/calls', 'synthesis/text', 'api/wire'],
    packages: ['typebox', 'yaml'],
  },
  {
    room: 'phone/carriers',
    project: ['phone/calls', 'synthesis/audio', 'api/websocket', 'api/identity'],
    packages: SOCKET_ROUTES,
  },
  {
    room: 'phone/bots',
    project: ['phone/calls', 'phone/lines', 'synthesis/speech', 'api/websocket', 'api/stream'],
    packages: SOCKET_ROUTES,
  },
  { room: 'tools/desk-phone', project: ['synthesis/audio'], packages: ['ws'] },
  {
    room: 'tools/cli',
    project: [
      'synthesis/audio',
      'tools/desk-phone',
      'service/storage/backup.ts',
      'environment.ts',
      'node-version.ts',
    ],
    packages: ['commander', 'selfsigned', 'ws'],
  },
];

/** Files that stand in `src` itself, and what of the project they may import. */
export const ROOT_FILES = {
  'config.ts': 'settings.ts and setting-readers.ts',
  'settings.ts': 'storage-settings.ts and setting-readers.ts',
  'storage-settings.ts': 'setting-readers.ts',
  'setting-readers.ts': 'nothing',
  'app.ts': 'anything but main.ts',
  'open-service.ts': 'anything but main.ts',
  'open-server.ts': 'anything but main.ts',
  'open-phone.ts': 'anything but main.ts',
  'guard-server.ts': 'anything but main.ts',
  'shut-down.ts': 'anything but main.ts',
  'environment.ts': 'nothing',
  'listen-error.ts': 'nothing',
  'node-version.ts': 'nothing',
  'unknown-settings.ts': 'config.ts',
  'run-server.ts': 'anything but main.ts',
  'main.ts': 'node-version.ts, and then run-server.ts',
};
