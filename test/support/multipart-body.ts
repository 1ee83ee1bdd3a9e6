/** A part of a form: a text field, or a file when it has a name. */
export interface FormPart {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly contentType?: string;
}

const BOUNDARY = 'x-test-boundary';

/** A form as clients send it (RFC 7578), for `app.inject`. */
export function multipartBody(parts: readonly FormPart[]) {
  const chunks = parts.flatMap(({ name, value, fileName, contentType }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const type = contentType === undefined ? '' : `\r\ncontent-type: ${contentType}`;
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}${type}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  return {
    payload: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
