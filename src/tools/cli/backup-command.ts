import type { Command } from 'commander';
import { backUp } from '../../service/storage/backup.ts';
import { dataFolderOf, withDataFolder } from './data-folder.ts';
import type { Terminal } from './terminal.ts';

export function addBackupCommand(program: Command, terminal: Terminal): void {
  withDataFolder(program.command('backup'))
    .description('Copy all state into a new folder; the server may go on running.')
    .argument('<folder>', 'to make; it must not exist')
    .addHelpText('after', '\nExample:\n  sidetone backup /backups/sidetone-$(date +%F)')
    .action(async (folder: string, options: { dataDir?: string }) => {
      const { blobs, bytes } = await backUp(dataFolderOf(options, terminal), folder);
      terminal.stderr.write(
        `Copied the database and ${blobs} files, ${(bytes / 1e6).toFixed(1)} MB, to ${folder}.\n`,
      );
      if (terminal.environment['SIDETONE_S3_URL']) {
        terminal.stderr.write('Audio is in the bucket, which this does not copy.\n');
      }
    });
}
