import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { explainWriteError, requireSpace } from '../../../models/setup/disk-space.mjs';
import { SetupError } from '../../../models/setup/setup-error.mjs';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('explainWriteError', () => {
  it.each([
    ['ENOSPC', '5.0 MiB are needed in /models'],
    ['EDQUOT', '5.0 MiB are needed in /models'],
    ['EROFS', 'Cannot write to /models (EROFS)'],
    ['EACCES', 'Cannot write to /models (EACCES)'],
  ])('names the remedy for %s', (code, message) => {
    const explained = explainWriteError(failure(code), '/models', 5 * 2 ** 20);
    expect(explained).toBeInstanceOf(SetupError);
    expect((explained as SetupError).message).toContain(message);
    expect((explained as SetupError).cause).toHaveProperty('code', code);
  });

  it('leaves other errors alone', () => {
    const error = failure('ECONNRESET');
    expect(explainWriteError(error, '/models', 1)).toBe(error);
  });
});

describe('requireSpace', () => {
  it('passes what fits and refuses what does not', async () => {
    await requireSpace(os.tmpdir(), 1);
    await expect(requireSpace(os.tmpdir(), 2 ** 60)).rejects.toThrow('No space left');
  });
});
