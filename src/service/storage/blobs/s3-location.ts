import { StorageError } from '../storage.ts';

/** Where a bucket is, and who may use it. */
export interface S3Location {
  /** Up to and with the folder's last slash: what blob keys are appended to. */
  readonly baseUrl: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const DEFAULT_REGION = 'us-east-1';
const EXAMPLE =
  'https://ACCESS_KEY_ID:SECRET_ACCESS_KEY@s3.eu-central-1.amazonaws.com/bucket/folder?region=eu-central-1';

/**
 * Reads the address of a bucket, written path-style since every S3-compatible store knows that, such
 * as `https://KEY:SECRET@minio.example/bucket/folder?region=us-east-1`; the region defaults to that.
 *
 * @throws StorageError that repeats nothing of the address: it holds a secret.
 */
export function parseS3Url(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const folder = url?.pathname.replace(/\/+$/, '');
  const accessKeyId = decoded(url?.username);
  const secretAccessKey = decoded(url?.password);
  if (!url || !/^https?:$/.test(url.protocol) || !folder || !accessKeyId || !secretAccessKey) {
    throw new StorageError(
      `SIDETONE_S3_URL is no address of a bucket with its keys. Write it like ${EXAMPLE}, special characters as %XX.`,
    );
  }
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  return { baseUrl: `${url.origin}${folder}/`, accessKeyId, secretAccessKey, region };
}

/** @returns undefined for text whose escapes cannot be read. */
function decoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
