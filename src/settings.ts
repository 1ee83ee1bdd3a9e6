import {
  headerSafeKey,
  list,
  nonBlank,
  oneOf,
  originList,
  path,
  type Region,
  regionList,
  type Setting,
  trueOrFalse,
  voiceAliasList,
  webAddress,
  wholeNumber,
} from './setting-readers.ts';
import { STORAGE_SETTINGS } from './storage-settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];
const METRICS_ACCESS = ['open', 'key', 'off'] as const;
type MetricsAccess = (typeof METRICS_ACCESS)[number];

const KOKORO_USES = ['fetch', 'present', 'off'] as const;
/** What a server does about Kokoro's voices. */
type KokoroUse = (typeof KOKORO_USES)[number];

/** Every setting of the server. Nothing else is read from the environment. */
export const SETTINGS = {
  port: {
    variable: 'PORT',
    description: 'Port to listen on; 0 takes any free one.',
    defaultText: '8080',
    absent: 8080,
    parse: wholeNumber(0, 65_535),
  },
  // Loopback, because keys travel in clear until a TLS proxy stands in front; containers widen it.
  host: {
    variable: 'HOST',
    description: 'Address to listen on; 0.0.0.0 is reachable from other machines.',
    defaultText: '127.0.0.1',
    absent: '127.0.0.1',
    parse: nonBlank,
  },
  tlsCert: {
    variable: 'SIDETONE_TLS_CERT',
    description:
      'PEM file of a certificate, with those that vouch for it; with SIDETONE_TLS_KEY, the server speaks https and wss. Read again when it is renewed.',
    defaultText: 'none',
    absent: undefined,
    parse: path,
  } as Setting<string | undefined>,
  tlsKey: {
    variable: 'SIDETONE_TLS_KEY',
    description: 'PEM file of its private key.',
    defaultText: 'none',
    absent: undefined,
    parse: path,
  } as Setting<string | undefined>,
  apiKey: {
    variable: 'SIDETONE_API_KEY',
    description:
      'An API key of your choice, valid while it is set. Without it, the first start makes and prints one.',
    defaultText: 'none',
    absent: undefined,
    parse: headerSafeKey,
  } as Setting<string | undefined>,
  ...STORAGE_SETTINGS,
  trustedProxies: {
    variable: 'SIDETONE_TRUSTED_PROXIES',
    description: 'Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed.',
    defaultText: 'none',
    absent: [],
    parse: list,
  } as Setting<readonly string[]>,
  webhookAllow: {
    variable: 'SIDETONE_WEBHOOK_ALLOW',
    description: 'Private hosts, addresses and CIDR ranges that webhooks may call all the same.',
    defaultText: 'none',
    absent: [],
    parse: list,
  } as Setting<readonly string[]>,
  webhookAllowHttp: {
    variable: 'SIDETONE_WEBHOOK_ALLOW_HTTP',
    description: 'Whether webhooks may call http addresses.',
    defaultText: 'false',
    absent: false,
    parse: trueOrFalse,
  } as Setting<boolean>,
  publicUrl: {
    variable: 'SIDETONE_PUBLIC_URL',
    description:
      'Address at which others reach this server, such as https://voice.example.com; call set-up documents and signatures need it.',
    defaultText: 'the address of each request',
    absent: undefined,
    parse: webAddress,
  } as Setting<string | undefined>,
  regions: {
    variable: 'SIDETONE_REGIONS',
    description:
      'Regional base addresses that the documents list, as name=https://…, separated by commas.',
    defaultText: 'none',
    absent: [],
    parse: regionList,
  } as Setting<readonly Region[]>,
  linesFile: {
    variable: 'SIDETONE_LINES',
    description: 'YAML file of phone lines: who answers a call, and how.',
    defaultText: 'one line named "default"',
    absent: undefined,
    parse: path,
  } as Setting<string | undefined>,
  audioSocketPort: {
    variable: 'SIDETONE_AUDIOSOCKET_PORT',
    description: "Port to listen on for Asterisk's AudioSocket, on the same address.",
    defaultText: 'none',
    absent: undefined,
    parse: wholeNumber(0, 65_535),
  } as Setting<number | undefined>,
  workers: {
    variable: 'SIDETONE_WORKERS',
    description: 'Synthesis threads.',
    defaultText: 'one a core, or as many as the CPU quota of the container allows',
    absent: undefined,
    parse: wholeNumber(1, 256),
  } as Setting<number | undefined>,
  maxStreams: {
    variable: 'SIDETONE_MAX_STREAMS',
    description:
      'Streams, and phone calls, that may speak at once; the next one is told that the server is busy.',
    defaultText: 'as measured at the start, with a quarter to spare',
    absent: undefined,
    parse: wholeNumber(1, 100_000),
  } as Setting<number | undefined>,
  refuseWhenLate: {
    variable: 'SIDETONE_REFUSE_WHEN_LATE',
    description:
      'Whether new speech is refused while most synthesis starts too late for its listeners, even if places are free.',
    defaultText: 'true',
    absent: true,
    parse: trueOrFalse,
  } as Setting<boolean>,
  drainS: {
    variable: 'SIDETONE_DRAIN_S',
    description: 'Seconds that a shutdown gives streams and requests to finish.',
    defaultText: '10',
    absent: 10,
    parse: wholeNumber(0, 3600),
  },
  drainCallsS: {
    variable: 'SIDETONE_DRAIN_CALLS_S',
    description: 'Seconds that a shutdown gives phone calls to end.',
    defaultText: '300',
    absent: 300,
    parse: wholeNumber(0, 86_400),
  },
  rateLimitKeyless: {
    variable: 'SIDETONE_RATE_LIMIT_KEYLESS',
    description: 'Requests a minute that one address may make without a valid API key.',
    defaultText: '600',
    absent: 600,
    parse: wholeNumber(1, 10_000_000),
  },
  rateLimitKey: {
    variable: 'SIDETONE_RATE_LIMIT_KEY',
    description: 'Requests and new websockets a minute that one API key may make.',
    defaultText: '6000',
    absent: 6000,
    parse: wholeNumber(1, 10_000_000),
  },
  maxConnections: {
    variable: 'SIDETONE_MAX_CONNECTIONS',
    description: 'Connections that may be open at once.',
    defaultText: '10000',
    absent: 10_000,
    parse: wholeNumber(1, 1_000_000),
  },
  maxConnectionsPerAddress: {
    variable: 'SIDETONE_MAX_CONNECTIONS_PER_ADDRESS',
    description:
      'Of these, those of one address on which no valid API key has come yet; trusted proxies are not counted.',
    defaultText: '1000',
    absent: 1000,
    parse: wholeNumber(1, 1_000_000),
  },
  allowedOrigins: {
    variable: 'SIDETONE_ALLOWED_ORIGINS',
    description: 'Origins of web pages that may open websockets, such as https://app.example.com.',
    defaultText: 'all',
    absent: [],
    parse: originList,
  } as Setting<readonly string[]>,
  metrics: {
    variable: 'SIDETONE_METRICS',
    description:
      'Who may read /metrics: open for anybody, key for API keys with the scope workspace_read, off for nobody.',
    defaultText: 'open',
    absent: 'open',
    parse: oneOf(METRICS_ACCESS),
  } as Setting<MetricsAccess>,
  defaultVoice: {
    variable: 'SIDETONE_DEFAULT_VOICE',
    description: 'Id or name of the voice that is loaded first.',
    defaultText: 'the first voice listed',
    absent: undefined,
    parse: nonBlank,
  } as Setting<string | undefined>,
  voiceAliases: {
    variable: 'SIDETONE_VOICE_ALIASES',
    description:
      'Further ids that voices answer to, as id=voice, separated by commas; a voice is named by its id or its listed name.',
    defaultText: 'the well-known ids that the page on voices lists',
    absent: new Map(),
    parse: voiceAliasList,
  } as Setting<ReadonlyMap<string, string>>,
  kokoro: {
    variable: 'SIDETONE_KOKORO',
    description:
      'Kokoro’s voices: fetch brings their files (350 MB) behind the start, present only uses files that are there, off leaves them out.',
    defaultText: 'fetch',
    absent: 'fetch',
    parse: oneOf(KOKORO_USES),
  } as Setting<KokoroUse>,
  logLevel: {
    variable: 'LOG_LEVEL',
    description: `How much is logged: ${LOG_LEVELS.join(', ')}.`,
    defaultText: 'info',
    absent: 'info',
    parse: oneOf(LOG_LEVELS),
  } as Setting<LogLevel>,
  logFormat: {
    variable: 'SIDETONE_LOG_FORMAT',
    description: 'Whether the log is json, pretty, or auto: pretty on a terminal, json elsewhere.',
    defaultText: 'auto',
    absent: 'auto',
    parse: oneOf(LOG_FORMATS),
  } as Setting<LogFormat>,
} satisfies Record<string, Setting<unknown>>;
