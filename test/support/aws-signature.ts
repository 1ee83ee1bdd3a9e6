import { createHash, createHmac } from 'node:crypto';

/** A request as it travels: headers in lower case, the path and query still encoded. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * The signature that a request must carry: AWS Signature Version 4 for S3, written after "Signature
 * calculations for the Authorization header" of the Amazon S3 API reference.
 *
 * @param scope `date/region/service/aws4_request` of the credential.
 */
export function signatureOf(
  { method, path, query, headers }: SignedRequest,
  signedHeaders: readonly string[],
  scope: string,
  secret: string,
): string {
  const canonicalHeaders = signedHeaders.map((name) => `${name}:${headers[name]?.trim() ?? ''}\n`);
  const canonicalRequest = [
    method,
    path,
    query.split('&').sort().join('&'),
    canonicalHeaders.join(''),
    signedHeaders.join(';'),
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n');
  const hash = createHash('sha256').update(canonicalRequest).digest('hex');
  const stringToSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, stringToSign).toString('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
