import type { Credentials } from '../../domain/account.ts';
import type { DictionaryLocator } from '../../domain/dictionary.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { VoiceSettings } from '../../domain/voice.ts';
import type { ChunkAlignment } from '../text/alignment.ts';

/** What a client may ask of a session, whatever wire language it speaks. */
export type SpeechCommand =
  | { readonly type: 'authenticate'; readonly credentials: Credentials }
  /** Settings for one context, or without an id for every context that sends none of its own. */
  | { readonly type: 'configure'; readonly contextId?: string; readonly settings: ContextSettings }
  /** `trigger` asks to speak what is buffered if it is long enough to be worth it. */
  | {
      readonly type: 'text';
      readonly contextId: string;
      readonly text: string;
      readonly trigger: boolean;
      /** Who says it, where a context has several voices. */
      readonly by?: DialogueVoice;
    }
  | { readonly type: 'flush'; readonly contextId: string }
  /** Falls silent at once and drops what waits; the next text starts the context anew. */
  | { readonly type: 'clear'; readonly contextId: string }
  /**
   * No more text for this context: speak what is buffered, then say that it ended. `isImmediate`
   * drops what is buffered, and stops in the middle of what is being said.
   */
  | {
      readonly type: 'context-close';
      readonly contextId: string;
      readonly isImmediate?: boolean;
    }
  /** Without an id it is for every context. */
  | { readonly type: 'keep-alive'; readonly contextId?: string }
  /** Finish every context, then close the connection. */
  | { readonly type: 'session-end' };

/** One of the voices of a dialogue, taking its turn. */
export interface DialogueVoice {
  /** One of `ContextSettings.voices`. */
  readonly voiceId: string;
  /** Whether what was said before is complete, even if the same voice said it. */
  readonly isNewTurn: boolean;
}

/** Settings that a client sends in the first frame of a context. */
export interface ContextSettings {
  /** Who may speak in it, where that is not the one voice of its connection. */
  readonly voices?: readonly string[];
  readonly voiceSettings?: Partial<VoiceSettings>;
  /** Characters that must be waiting before the n-th generation; the last repeats. */
  readonly chunkLengthSchedule?: readonly number[];
  /** Pronunciation dictionaries, in the order in which they apply. */
  readonly dictionaries?: readonly DictionaryLocator[];
}

/**
 * What a session says back. `chunkNumber` counts the chunks of a connection from 1: of the chunk that
 * the audio speaks, or the one that its context spoke last, or failed to; 0 where there is none.
 */
export type SpeechEvent =
  | {
      readonly type: 'audio-frame';
      readonly contextId: string;
      /** Encoded in the session's output format. */
      readonly audio: Uint8Array;
      /** On the first frame of a chunk. */
      readonly alignment: ChunkAlignment | undefined;
      readonly chunkNumber: number;
    }
  | { readonly type: 'context-end'; readonly contextId: string; readonly chunkNumber: number }
  /** All text before a flush has been spoken. */
  | { readonly type: 'flushed'; readonly contextId: string; readonly chunkNumber: number }
  /** Nothing of what was said before a clear follows. */
  | { readonly type: 'cleared'; readonly contextId: string; readonly chunkNumber: number }
  | {
      readonly type: 'error';
      readonly contextId: string | undefined;
      readonly chunkNumber: number;
      readonly error: SpeechError;
    };
