import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EnvironmentFileError, withEnvironmentFile } from '../../../src/environment.ts';
import { temporaryDir } from '../../support/temporary-dir.ts';

it('adds the variables of a .env file, and leaves those that are set', () => {
  const folder = temporaryDir();
  writeFileSync(
    join(folder, '.env'),
    '# Settings\nPORT=9000\nSIDETONE_PUBLIC_URL="https://voice.example.com"\nLOG_LEVEL=debug\n',
  );
  expect(withEnvironmentFile({ PORT: '8081', LOG_LEVEL: '' }, folder)).toEqual({
    PORT: '8081',
    LOG_LEVEL: '',
    SIDETONE_PUBLIC_URL: 'https://voice.example.com',
  });
});

it('does without the file, and passes by a folder of that name', () => {
  const folder = temporaryDir();
  expect(withEnvironmentFile({ PORT: '1' }, folder)).toEqual({ PORT: '1' });
  mkdirSync(join(folder, '.env'));
  expect(withEnvironmentFile({ PORT: '1' }, folder)).toEqual({ PORT: '1' });
});

it('says what is wrong with a file that cannot be read', () => {
  const folder = temporaryDir();
  writeFileSync(join(folder, 'file'), '');
  const within = join(folder, 'file');
  expect(() => withEnvironmentFile({}, within)).toThrow(EnvironmentFileError);
  expect(() => withEnvironmentFile({}, within)).toThrow(/\.env cannot be read: ENOTDIR/);
});
