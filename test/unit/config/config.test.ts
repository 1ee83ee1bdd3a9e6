import { isAbsolute, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settingsTable } from '../../../src/config.ts';

const projectDir = resolve(import.meta.dirname, '../../..');

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      refuseWhenLate: true,
      host: '127.0.0.1',
      port: 8080,
      apiKey: undefined,
      dataDir: resolve(projectDir, '.sidetone'),
      modelsDir: resolve(projectDir, 'models'),
      workers: undefined,
      maxStreams: undefined,
      defaultVoice: undefined,
      tlsCert: undefined,
      tlsKey: undefined,
      voiceAliases: new Map(),
      kokoro: 'fetch',
      databaseUrl: undefined,
      s3Url: undefined,
      historyDays: undefined,
      historyMib: 10_240,
      diskReserveMib: 512,
      trustedProxies: [],
      webhookAllow: [],
      webhookAllowHttp: false,
      publicUrl: undefined,
      regions: [],
      linesFile: undefined,
      audioSocketPort: undefined,
      drainS: 10,
      drainCallsS: 300,
      rateLimitKeyless: 600,
      rateLimitKey: 6000,
      maxConnections: 10_000,
      maxConnectionsPerAddress: 1000,
      allowedOrigins: [],
      metrics: 'open',
      logFormat: 'auto',
      logLevel: 'info',
    });
  });

  it('reads every variable', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      SIDETONE_API_KEY: 'sk_mine_and_only_mine',
      SIDETONE_DATA_DIR: '/var/lib/sidetone',
      SIDETONE_MODELS_DIR: 'elsewhere',
      SIDETONE_WORKERS: '3',
      SIDETONE_MAX_STREAMS: '5',
      SIDETONE_DEFAULT_VOICE: 'Ada',
      SIDETONE_DATABASE_URL: 'postgres://localhost/sidetone',
      SIDETONE_S3_URL: 'https://id:secret@s3.example/audio',
      SIDETONE_HISTORY_DAYS: '30',
      SIDETONE_HISTORY_MIB: '100',
      SIDETONE_DISK_RESERVE_MIB: '0',
      SIDETONE_TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16',
      SIDETONE_WEBHOOK_ALLOW: 'hooks.internal',
      SIDETONE_WEBHOOK_ALLOW_HTTP: 'true',
      SIDETONE_PUBLIC_URL: 'https://voice.example.com/speech/',
      SIDETONE_REGIONS: 'eu=https://eu.example.com, us=https://us.example.com/',
      SIDETONE_LINES: '/etc/sidetone/lines.yaml',
      SIDETONE_AUDIOSOCKET_PORT: '8090',
      SIDETONE_DRAIN_S: '5',
      SIDETONE_DRAIN_CALLS_S: '60',
      SIDETONE_RATE_LIMIT_KEYLESS: '60',
      SIDETONE_RATE_LIMIT_KEY: '61',
      SIDETONE_MAX_CONNECTIONS: '62',
      SIDETONE_MAX_CONNECTIONS_PER_ADDRESS: '63',
      SIDETONE_ALLOWED_ORIGINS: 'https://App.example.com, http://localhost:3000/',
      SIDETONE_METRICS: 'Key',
      SIDETONE_TLS_CERT: '/etc/tls/cert.pem',
      SIDETONE_TLS_KEY: '/etc/tls/key.pem',
      SIDETONE_VOICE_ALIASES: 'alloy=Clara, 21m00Tcm4TlvDq8ikWAM = Zoe',
      SIDETONE_KOKORO: 'present',
      LOG_LEVEL: 'DEBUG',
      SIDETONE_REFUSE_WHEN_LATE: 'false',
      SIDETONE_LOG_FORMAT: 'pretty',
    });
    expect(config).toEqual({
      refuseWhenLate: false,
      host: '0.0.0.0',
      port: 0,
      apiKey: 'sk_mine_and_only_mine',
      dataDir: '/var/lib/sidetone',
      modelsDir: resolve('elsewhere'),
      workers: 3,
      maxStreams: 5,
      defaultVoice: 'Ada',
      tlsCert: '/etc/tls/cert.pem',
      tlsKey: '/etc/tls/key.pem',
      voiceAliases: new Map([
        ['alloy', 'Clara'],
        ['21m00Tcm4TlvDq8ikWAM', 'Zoe'],
      ]),
      kokoro: 'present',
      databaseUrl: 'postgres://localhost/sidetone',
      s3Url: 'https://id:secret@s3.example/audio',
      historyDays: 30,
      historyMib: 100,
      diskReserveMib: 0,
      trustedProxies: ['10.0.0.1', '192.168.0.0/16'],
      webhookAllow: ['hooks.internal'],
      webhookAllowHttp: true,
      publicUrl: 'https://voice.example.com/speech',
      regions: [
        { name: 'eu', baseUrl: 'https://eu.example.com' },
        { name: 'us', baseUrl: 'https://us.example.com' },
      ],
      linesFile: '/etc/sidetone/lines.yaml',
      audioSocketPort: 8090,
      drainS: 5,
      drainCallsS: 60,
      rateLimitKeyless: 60,
      rateLimitKey: 61,
      maxConnections: 62,
      maxConnectionsPerAddress: 63,
      allowedOrigins: ['https://app.example.com', 'http://localhost:3000'],
      metrics: 'key',
      logFormat: 'pretty',
      logLevel: 'debug',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('takes an empty variable for an absent one, as compose files send them', () => {
    const empty = Object.fromEntries(settingsTable().map(({ variable }) => [variable, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('names every bad variable in one error, and never repeats a key', () => {
    const bad = {
      PORT: '99999',
      HOST: ' ',
      SIDETONE_API_KEY: 'short',
      SIDETONE_WORKERS: '1.5',
      SIDETONE_MAX_STREAMS: '-1',
      SIDETONE_PUBLIC_URL: 'voice.example.com',
      SIDETONE_REGIONS: 'https://eu.example.com',
      SIDETONE_VOICE_ALIASES: 'alloy',
      LOG_LEVEL: 'loud',
    };
    let thrown: unknown;
    try {
      readConfig(bad);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConfigError);
    const { problems, message } = thrown as ConfigError;
    const named = problems.map((problem) => problem.split(' ', 1)[0]);
    expect(named.sort()).toEqual(Object.keys(bad).sort());
    for (const problem of problems) expect(message).toContain(problem);
    expect(message).not.toContain('short');
    expect(message).toContain('PORT must be a whole number from 0 to 65535, not "99999".');
  });

  it('wants both files of TLS, or none', () => {
    for (const variable of ['SIDETONE_TLS_CERT', 'SIDETONE_TLS_KEY']) {
      expect(() => readConfig({ [variable]: '/x.pem' })).toThrow(/must be set together/);
    }
  });

  it.each(['8080abc', '0x1F90', '1e3', '-1', '65536', 'NaN'])('refuses %s for a port', (port) => {
    expect(() => readConfig({ PORT: port })).toThrow(ConfigError);
  });

  it('refuses keys that a header cannot carry', () => {
    for (const key of ['with space 123', 'ключ-ключ-ключ', 'x'.repeat(201), 'line\nbreak-in-it']) {
      expect(() => readConfig({ SIDETONE_API_KEY: key })).toThrow(/visible ASCII/);
    }
  });

  it('makes folders absolute, whatever the current folder is later', () => {
    expect(isAbsolute(readConfig({ SIDETONE_DATA_DIR: './state' }).dataDir)).toBe(true);
  });
});

it('the table of settings is complete enough to print', () => {
  for (const { variable, defaultText, description } of settingsTable()) {
    expect(variable).toMatch(/^[A-Z][A-Z0-9_]+$/);
    expect(defaultText).not.toBe('');
    expect(description).toMatch(/\.$/);
  }
});
