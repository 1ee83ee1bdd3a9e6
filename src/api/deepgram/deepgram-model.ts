import { createHash } from 'node:crypto';
import type { Voice } from '../../domain/voice.ts';

/** How a voice is told of where Deepgram tells of a model. */
export interface DeepgramModel {
  readonly name: string;
  readonly version: string;
  readonly uuid: string;
}

/** Each voice is a model of its own, with an id that is always the same. */
export function deepgramModel({ voiceId, modelFile }: Voice): DeepgramModel {
  const digest = createHash('sha256').update(voiceId).digest('hex');
  // RFC 9562 §5.8: of version 8 everything but version and variant is the maker's own.
  const groups = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return { name: voiceId, version: modelFile, uuid: groups.join('-') };
}
