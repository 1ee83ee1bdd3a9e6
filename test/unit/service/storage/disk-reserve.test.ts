import { describe, expect, it } from 'vitest';
import { DiskReserve } from '../../../../src/service/storage/disk-reserve.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

describe('DiskReserve', () => {
  it('has room for what leaves the reserve free, and says so when there is none', async () => {
    const folder = temporaryDir();
    await new DiskReserve(folder, 0).assertRoomFor(1);
    for (const [reserveBytes, bytes] of [
      [2 ** 60, 0],
      [0, 2 ** 60],
    ] as const) {
      await expect(
        new DiskReserve(folder, reserveBytes).assertRoomFor(bytes),
      ).rejects.toMatchObject({
        code: 'insufficient_storage',
        message: expect.stringContaining('SIDETONE_DISK_RESERVE_MIB'),
      });
    }
  });
});
