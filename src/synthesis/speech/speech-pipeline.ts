import type { MarkedChunker } from '../text/markup/marked-chunker.ts';
import type { FrameSink } from './frame-writer.ts';
import type { SpeakingTurn } from './speaking-turns.ts';
import type { SpeechPorts } from './speech-ports.ts';
import type { SpeechStyle } from './speech-style.ts';
import { Utterance } from './utterance.ts';
import { openChunker, type VoicePart } from './voice-part.ts';

/** What turns one context's text into frames. */
export interface SpeechPipeline {
  readonly chunker: MarkedChunker;
  /**
   * Opens what another of the context's voices says; only where it may have several.
   * @returns a promise that rejects when one of the context's voices does not exist.
   * @throws SpeechError when this is none of them.
   */
  readonly openPart?: (voiceId: string) => Promise<VoicePart>;
  /** What speaks the chunks. Its style is settled when it is first asked for. */
  readonly utterance: () => Utterance;
  /** Yields to younger contexts when no more text can come. */
  readonly turn?: SpeakingTurn;
}

/**
 * Audio goes to `sink`, which resolves when it takes more.
 * @param settle the style when the first chunk is cut, which may differ in its prosody.
 */
export function openPipeline(
  style: SpeechStyle,
  ports: SpeechPorts,
  sink: FrameSink,
  settle: () => SpeechStyle = () => style,
): SpeechPipeline {
  let utterance: Utterance | undefined;
  return {
    chunker: openChunker(style),
    utterance: () => {
      utterance ??= new Utterance(settle(), ports, sink);
      return utterance;
    },
    ...(ports.turn && { turn: ports.turn }),
  };
}
