import type { Scope } from '../../domain/account.ts';

/** One row a group of endpoints: whose paths begin so, and the scope to read and to change. */
const ENDPOINTS: ReadonlyArray<readonly [path: string, read: Scope, write: Scope]> = [
  ['/v1/text-to-speech', 'text_to_speech', 'text_to_speech'],
  ['/v1/single-use-token', 'text_to_speech', 'text_to_speech'],
  ['/v1/calls', 'calls_attach', 'calls_attach'],
  ['/v1/lines', 'text_to_speech', 'text_to_speech'],
  ['/v1/speech-to-speech', 'speech_to_speech', 'speech_to_speech'],
  ['/v1/voices', 'voices_read', 'voices_write'],
  ['/v2/voices', 'voices_read', 'voices_write'],
  ['/v1/shared-voices', 'voices_read', 'voices_write'],
  ['/v1/models', 'models_read', 'models_read'],
  ['/v1/user', 'user_read', 'user_read'],
  // A POST, because it carries a list of ids; it changes nothing.
  ['/v1/history/download', 'speech_history_read', 'speech_history_read'],
  ['/v1/history', 'speech_history_read', 'speech_history_write'],
  [
    '/v1/pronunciation-dictionaries',
    'pronunciation_dictionaries_read',
    'pronunciation_dictionaries_write',
  ],
  ['/v1/workspace', 'workspace_read', 'workspace_write'],
];
const READING_METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * The scope that a key needs for an endpoint.
 *
 * @param path of the route or of the request; its parameters do not matter.
 * @returns undefined for an endpoint of no group, which only keys without restriction may reach.
 */
export function endpointScope(method: string, path: string): Scope | undefined {
  const row = ENDPOINTS.find(([group]) => path === group || path.startsWith(`${group}/`));
  return row?.[READING_METHODS.includes(method) ? 1 : 2];
}
