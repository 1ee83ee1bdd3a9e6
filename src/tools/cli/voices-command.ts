import type { Command } from 'commander';
import { CliError } from './cli-error.ts';
import { callServer, type ServerAccess } from './server.ts';
import { formatTable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** What the CLI reads of a voice record. */
interface VoiceRecord {
  readonly voice_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** An id as the server makes them; anything else is taken for a name. */
const VOICE_ID = /^[A-Za-z0-9]{20}$/;

export function addVoicesCommand(
  program: Command,
  terminal: Terminal,
  serverOf: (command: Command) => ServerAccess,
): void {
  program
    .command('voices')
    .description('List the voices that the server speaks with.')
    .option('--json', 'print the full records as JSON')
    .addHelpText('after', '\nExamples:\n  sidetone voices\n  sidetone voices --json')
    .action(async (options: { json?: boolean }, command: Command) => {
      const voices = await listVoices(serverOf(command));
      terminal.stdout.write(
        options.json ? `${JSON.stringify(voices, undefined, 2)}\n` : voiceTable(voices),
      );
    });
}

/**
 * The id of a voice given by id or by name; the server's first voice when none is given.
 * @throws CliError that lists the names when there is no such voice.
 */
export async function resolveVoiceId(
  server: ServerAccess,
  voice: string | undefined,
): Promise<string> {
  if (voice !== undefined && VOICE_ID.test(voice)) return voice;
  const voices = await listVoices(server);
  const found = voice === undefined ? voices[0] : voices.find((known) => isCalled(known, voice));
  if (found) return found.voice_id;
  const names = voices.map((known) => known.name).join(', ');
  throw new CliError(
    voice === undefined
      ? 'The server has no voices.'
      : `There is no voice called "${voice}". There are: ${names}.`,
    'failed',
  );
}

async function listVoices(server: ServerAccess): Promise<readonly VoiceRecord[]> {
  const { voices } = (await callServer(server, '/v1/voices')) as { voices: readonly VoiceRecord[] };
  return voices;
}

function isCalled(voice: VoiceRecord, name: string): boolean {
  return voice.name.toLowerCase() === name.toLowerCase();
}

function voiceTable(voices: readonly VoiceRecord[]): string {
  const rows = voices.map(({ voice_id, name, labels, description }) => [
    voice_id,
    name,
    labels['locale'] ?? labels['language'] ?? '',
    labels['gender'] ?? '',
    description ?? '',
  ]);
  return formatTable([['ID', 'NAME', 'LANGUAGE', 'GENDER', 'DESCRIPTION'], ...rows]);
}
