import { fileURLToPath } from 'node:url';
import { TlsFilesError } from './api/http/tls-files.ts';
import { type App, startApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { SpeechError } from './domain/errors.ts';
import { EnvironmentFileError, withEnvironmentFile } from './environment.ts';
import { ListenError } from './listen-error.ts';
import { YamlError } from './phone/lines/checked-yaml.ts';
import { StorageError } from './service/storage/storage.ts';
import { UnknownAliasError } from './service/voices/read-voice-catalog.ts';
import { DestinationRulesError } from './service/webhooks/destination-guard.ts';
import { ServerSecretError } from './service/webhooks/secret-box.ts';
import { unknownSettings } from './unknown-settings.ts';

const ORPHAN_CHECK_INTERVAL_MS = 250;
/** How long the parts of the server may take to close when no connection is left. */
const CLOSE_LIMIT_MS = 700;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Called by its path: `npx` outside the project runs whatever the registry has under its name. */
const CLI = fileURLToPath(new URL('tools/cli/main.js', import.meta.url));

/**
 * Runs the server until a signal ends it.
 * @param given variables that are set; those of a `.env` file in the working folder are added.
 */
export async function runServer(given: NodeJS.ProcessEnv): Promise<void> {
  try {
    const environment = withEnvironmentFile(given, process.cwd());
    for (const sentence of unknownSettings(environment)) process.stderr.write(`${sentence}\n`);
    const app = await startApp(readConfig(environment));
    process.stdout.write(greeting(app));
    const stop = () => {
      // From here on the system's own way: a second signal ends the process at once.
      for (const signal of SIGNALS) process.off(signal, stop);
      end(app).catch(fail);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    if (given['npm_lifecycle_event'] === 'start') whenOrphaned(stop);
  } catch (thrown) {
    fail(thrown);
  }
}

/** Lets what goes on finish, and exits; what a part waits for while it closes cannot keep it. */
async function end(app: App): Promise<never> {
  await app.drain();
  setTimeout(() => {
    process.stderr.write('Sidetone ended before all of its parts had closed.\n');
    process.exit(1);
  }, CLOSE_LIMIT_MS);
  await app.close();
  process.exit(0);
}

/** `npm start` gives signals to its shell alone, which ends without passing them on to us. */
function whenOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, ORPHAN_CHECK_INTERVAL_MS);
}

/** How to hear it speak; the first key is shown here and nowhere else. */
function greeting({ url, defaultVoice, firstKey }: App): string {
  const key = firstKey?.secret ?? 'your API key';
  return `
Sidetone listens on ${url}

  Voice     ${defaultVoice.name} (${defaultVoice.voiceId})
  API key   ${firstKey ? `${key}  (shown once: keep it)` : 'as before; "sidetone keys create" makes another'}

Hear it speak, from another terminal, in any folder:

  alias sidetone="node '${CLI}'"
  export SIDETONE_URL=${url} SIDETONE_API_KEY=${firstKey ? key : '…'}
  sidetone say "Hello. Thank you for calling." -o hello.wav
  sidetone call --carrier twilio --seconds 20 -o call   # a phone call; the built-in menu answers

`;
}

function fail(thrown: unknown): void {
  process.stderr.write(`\nSidetone cannot start: ${reasonOf(thrown)}\n\n`);
  process.exit(1);
}

function reasonOf(thrown: unknown): string {
  const expected = [
    ConfigError,
    DestinationRulesError,
    EnvironmentFileError,
    ListenError,
    ServerSecretError,
    SpeechError,
    StorageError,
    TlsFilesError,
    UnknownAliasError,
    YamlError,
  ].some((type) => thrown instanceof type);
  if (expected) return (thrown as Error).message;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
