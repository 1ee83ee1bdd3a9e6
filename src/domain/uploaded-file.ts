/** A file that lies on the disk and is read a piece at a time, so that nobody needs it in memory. */
export interface RandomAccessFile {
  readonly sizeBytes: number;
  /** @returns as many bytes as asked for; fewer where the file ends. */
  read(position: number, lengthBytes: number): Promise<Uint8Array>;
}

/** A file as somebody sent it. */
export interface UploadedFile extends RandomAccessFile {
  /** As the sender says; good for showing, never for a path. */
  readonly fileName: string;
  /** Of the content, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}
