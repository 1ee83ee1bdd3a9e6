import { statfs } from 'node:fs/promises';
import { SpeechError } from '../../domain/errors.ts';

const MEBIBYTE = 2 ** 20;

/** The part of a disk that is left free, so that what must be written can be: the database above all. */
export class DiskReserve {
  readonly #folder: string;
  readonly #reserveBytes: number;

  /** @param folder on the disk in question; it exists. */
  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  /** @throws SpeechError `insufficient_storage` when so many bytes more would reach into the reserve. */
  async assertRoomFor(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    const freeBytes = bavail * bsize;
    if (freeBytes - bytes >= this.#reserveBytes) return;
    throw new SpeechError(
      'insufficient_storage',
      `The server's disk has ${Math.floor(freeBytes / MEBIBYTE)} MiB left, of which ${this.#reserveBytes / MEBIBYTE} MiB are reserved. Its operator must free some space, or lower SIDETONE_DISK_RESERVE_MIB.`,
    );
  }
}
