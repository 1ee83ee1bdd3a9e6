import { SpeechError } from '../../src/domain/errors.ts';

/** Of servers that know no single-use tokens. */
export async function noTokens(): Promise<never> {
  throw new SpeechError('invalid_api_key', 'This token is not valid.');
}
