import { MarkedChunker } from '../text/markup/marked-chunker.ts';
import type { SpeechStyle } from './speech-style.ts';

/** What one voice says at a stretch; several parts are a dialogue. */
export interface VoicePart extends PartStyle {
  /** For its text alone. */
  readonly chunker: MarkedChunker;
}

/** How a part is said. */
export interface PartStyle {
  /** Of its voice; all else is as in the whole context. */
  readonly style: SpeechStyle;
  /** Its place in a dialogue whose parts are counted, from 0. */
  readonly index?: number;
}

export function openVoicePart(part: PartStyle): VoicePart {
  return { ...part, chunker: openChunker(part.style) };
}

/** Cuts text that is said in a style. */
export function openChunker(style: SpeechStyle): MarkedChunker {
  return new MarkedChunker(style.chunkPolicy, style.voice.language, style);
}
