import type { FrameExample } from './asyncapi-client-messages.ts';

/** A frame that the server sends: each has a schema of its own, named by the row. */
export interface ServerMessage {
  readonly title: string;
  readonly summary: string;
  /** A name among `ChannelRow.schemas`. */
  readonly schema: string;
  /** JSON unless given. */
  readonly contentType?: string;
  readonly examples: readonly FrameExample[];
}

/** 4 ms of mu-law: what a real frame begins with. */
export const SHORT_AUDIO = 'yJ2qJR7HnLEiH7acux8jrpzPJB+/nLUg';
const HI = {
  alignment: {
    chars: ['H', 'i', '.', ' '],
    charStartTimesMs: [0, 46, 93, 139],
    charDurationsMs: [46, 47, 46, 0],
  },
  normalizedAlignment: {
    chars: [' ', 'H', 'i', '.', ' '],
    charStartTimesMs: [0, 0, 46, 93, 139],
    charDurationsMs: [0, 46, 47, 46, 0],
  },
};
const NO_TIMES = { alignment: null, normalizedAlignment: null };
const TURN = { contextId: 'turn-1', context_id: 'turn-1' };
/** The chunk of text that a frame speaks is counted at the end of its id. */
const trace = (chunkNumber: number) => ({
  'x-trace-id': `5f0c2a4e-7f0d-4b8e-9d41-6c0e2f1a7b33-${chunkNumber}`,
});
const FIRST = 'The first of a piece of text (audio shortened)';
const LATER = 'A later one (audio shortened)';
const LAST = 'After the last audio';

export const STREAM_INPUT_REPLIES: Readonly<Record<string, ServerMessage>> = {
  audio: {
    title: 'Audio',
    summary: 'Speech, as soon as it is made, in the order of the text.',
    schema: 'AudioFrame',
    examples: [
      { summary: FIRST, payload: { audio: SHORT_AUDIO, ...HI, isFinal: null, ...trace(1) } },
      { summary: LATER, payload: { audio: SHORT_AUDIO, ...NO_TIMES, isFinal: null, ...trace(1) } },
    ],
  },
  final: {
    title: 'Final',
    summary: 'Everything has been spoken. The connection closes with 1000.',
    schema: 'FinalFrame',
    examples: [
      { summary: LAST, payload: { audio: null, isFinal: true, ...NO_TIMES, ...trace(1) } },
    ],
  },
  error: {
    title: 'Error',
    summary:
      'What went wrong. The connection closes with the same code; the reason is the message, cut to 123 bytes.',
    schema: 'ErrorFrame',
    examples: [
      {
        summary: 'A field of the wrong type',
        payload: {
          message: 'Invalid message: flush must be boolean.',
          error: 'invalid_input_message',
          code: 1008,
          param: 'flush',
          ...trace(0),
        },
      },
    ],
  },
};

export const MULTI_STREAM_REPLIES: Readonly<Record<string, ServerMessage>> = {
  contextAudio: {
    title: 'Audio',
    summary: 'Speech of one context. Frames of several contexts interleave.',
    schema: 'ContextAudioFrame',
    examples: [
      { summary: FIRST, payload: { audio: SHORT_AUDIO, ...HI, ...TURN, ...trace(1) } },
      { summary: LATER, payload: { audio: SHORT_AUDIO, ...NO_TIMES, ...TURN, ...trace(1) } },
    ],
  },
  contextFinal: {
    title: 'Final',
    summary: 'The context has ended: sent exactly once, and nothing of the context follows.',
    schema: 'ContextFinalFrame',
    examples: [{ summary: LAST, payload: { audio: null, isFinal: true, ...TURN, ...trace(1) } }],
  },
  contextError: {
    title: 'Error',
    summary:
      'What went wrong, and in which context, if it was one. The connection closes with the same code; the reason is the message, cut to 123 bytes.',
    schema: 'ContextErrorFrame',
    examples: [
      {
        summary: 'A sixth open context',
        payload: {
          message:
            'This connection has 5 open contexts, the most it may have. Close one with {"context_id":"…","close_context":true} before starting another.',
          error: 'max_active_conversations',
          code: 1008,
          contextId: 'turn-6',
          context_id: 'turn-6',
          ...trace(0),
        },
      },
    ],
  },
};
