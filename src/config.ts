import type { Setting } from './setting-readers.ts';
import { SETTINGS } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Settings = typeof SETTINGS;
/** The settings of one server, checked. */
export type Config = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never;
};

/** One or more settings are wrong. The message names every one of them. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Settings that cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** @throws ConfigError that lists every bad variable. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const text = environment[setting.variable];
    if (text === undefined || text === '') return [name, setting.absent];
    try {
      return [name, setting.parse(text)];
    } catch (thrown) {
      problems.push(`${setting.variable} ${(thrown as Error).message}`);
      return [name, setting.absent];
    }
  });
  const { SIDETONE_TLS_CERT: cert, SIDETONE_TLS_KEY: key } = environment;
  if (Boolean(cert) !== Boolean(key)) {
    problems.push('SIDETONE_TLS_CERT and SIDETONE_TLS_KEY must be set together.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(Object.fromEntries(entries) as Config);
}

/** Variable, default and meaning of every setting. */
export function settingsTable(): ReadonlyArray<
  Pick<Setting<unknown>, 'variable' | 'defaultText' | 'description'>
> {
  return Object.values(SETTINGS);
}
