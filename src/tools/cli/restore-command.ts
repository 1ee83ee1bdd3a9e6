import type { Command } from 'commander';
import { restore } from '../../service/storage/backup.ts';
import { dataFolderOf, withDataFolder } from './data-folder.ts';
import type { Terminal } from './terminal.ts';

export function addRestoreCommand(program: Command, terminal: Terminal): void {
  withDataFolder(program.command('restore'))
    .description(
      'Bring the state of a backup into a data folder that has none; stop the server first.',
    )
    .argument('<backup>', 'a folder that "sidetone backup" made')
    .addHelpText('after', '\nExample:\n  sidetone restore /backups/sidetone-2026-11-21')
    .action(async (backup: string, options: { dataDir?: string }) => {
      const dataDir = dataFolderOf(options, terminal);
      await restore(backup, dataDir);
      terminal.stderr.write(`Restored ${backup} to ${dataDir}.\n`);
    });
}
