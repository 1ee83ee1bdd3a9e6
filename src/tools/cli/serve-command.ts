import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { CliError } from './cli-error.ts';
import { DEFAULT_DATA_DIR } from './data-folder.ts';
import { devCertificate } from './dev-certificate.ts';
import type { Terminal } from './terminal.ts';

const SERVER = fileURLToPath(new URL('../../main.js', import.meta.url));

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('Run the server, with the settings of the environment.')
    .option('--dev-tls', 'speak https and wss with a certificate for this machine, made here')
    .addHelpText('after', '\nExample:\n  sidetone serve --dev-tls')
    .action(async (options: { devTls?: boolean }) => {
      const { environment } = terminal;
      const tls = options.devTls ? await devTlsSettings(terminal) : {};
      await runServer({ ...environment, ...tls });
    });
}

/** @throws CliError when a certificate is set already. */
async function devTlsSettings({ environment, stderr }: Terminal) {
  if (environment['SIDETONE_TLS_CERT']) {
    throw new CliError('SIDETONE_TLS_CERT is set: leave out --dev-tls, or unset it.', 'usage');
  }
  const dataDir = environment['SIDETONE_DATA_DIR'] || DEFAULT_DATA_DIR;
  const { certPath, keyPath } = await devCertificate(join(dataDir, 'dev-tls'));
  stderr.write(
    `Clients trust this server with NODE_EXTRA_CA_CERTS=${certPath} (Node) or SSL_CERT_FILE=${certPath} (Python).\n`,
  );
  return { SIDETONE_TLS_CERT: certPath, SIDETONE_TLS_KEY: keyPath };
}

/** Resolves when the server has ended well. @throws CliError when it has not. */
async function runServer(environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [SERVER], { env: environment, stdio: 'inherit' });
  const end = () => child.kill('SIGTERM');
  // A terminal interrupts both; a second signal would cut what the server lets finish.
  const leaveToServer = () => undefined;
  process.on('SIGTERM', end).on('SIGINT', leaveToServer);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('SIGTERM', end).off('SIGINT', leaveToServer);
  if (code !== 0) throw new CliError('The server has ended with an error.', 'failed');
}
