import { text } from '../../api/stream/connect-query.ts';

/** How the caller's audio is told, as the address of the connection asks for it. */
export const AUDIO_QUERY_SCHEMA = {
  type: 'object',
  properties: {
    audio: {
      type: 'string',
      enum: ['base64', 'binary'],
      default: 'base64',
      description:
        "How the caller's audio comes, once listen has asked for it: in audio events, or in binary messages. Only an address with audio=binary gets binary messages.",
    },
  },
} as const;

/** @param query of the connection's address. */
export function wantsBinaryAudio(query: unknown): boolean {
  return text(query as Readonly<Record<string, unknown>>, 'audio') === 'binary';
}
