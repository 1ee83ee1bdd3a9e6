/** What a client frame is for: many frames share the one schema, and differ by what they fill in. */
export interface ClientMessage {
  readonly title: string;
  readonly summary: string;
  /** What this message demands of a client frame, as a JSON schema. */
  readonly demands: object;
  readonly examples: readonly FrameExample[];
}

export interface FrameExample {
  readonly summary: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const TEXT = { required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const BLANK = { required: ['text'], properties: { text: { const: ' ' } } };
const EMPTY = { required: ['text'], properties: { text: { const: '' } } };
const FLUSH = { required: ['flush'], properties: { flush: { const: true } } };
const NAMED = { anyOf: [{ required: ['context_id'] }, { required: ['contextId'] }] };
const UNNAMED = { not: NAMED };

/** The messages of `stream-input`; the examples are what public clients send. */
export const STREAM_INPUT_MESSAGES: Readonly<Record<string, ClientMessage>> = {
  initialise: {
    title: 'Initialise',
    summary:
      'Says who calls and how to speak. Optional: any first text will do, and settings may come with it.',
    demands: TEXT,
    examples: [
      {
        summary: 'A single space starts nothing yet',
        payload: {
          text: ' ',
          voice_settings: { stability: 0.5, similarity_boost: 0.75, speed: 1 },
          generation_config: { chunk_length_schedule: [120, 160, 250, 290] },
          xi_api_key: 'sk_…',
        },
      },
      {
        summary: 'Text in the first frame',
        payload: {
          text: 'Hello ',
          try_trigger_generation: true,
          voice_settings: { stability: 0.5, use_speaker_boost: true },
          generation_config: { chunk_length_schedule: [50] },
        },
      },
    ],
  },
  text: {
    title: 'Text',
    summary: 'Adds text, cut anywhere: send tokens as the language model writes them.',
    demands: TEXT,
    examples: [
      { summary: 'A word or a token', payload: { text: 'Hello ' } },
      {
        summary: 'The last of a sentence that must be heard now',
        payload: { text: 'how can I help you? ', flush: true },
      },
      {
        summary: 'Speak if enough is buffered to sound well',
        payload: { text: 'one moment please, ', try_trigger_generation: true },
      },
    ],
  },
  flush: {
    title: 'Flush',
    summary: 'Speaks everything buffered now. The connection stays open for more text.',
    demands: { allOf: [EMPTY, FLUSH] },
    examples: [{ summary: 'Without more text', payload: { text: '', flush: true } }],
  },
  keepAlive: {
    title: 'Keep alive',
    summary: 'Restarts the inactivity clock. A single space by itself is not spoken.',
    demands: BLANK,
    examples: [{ summary: 'A single space', payload: { text: ' ' } }],
  },
  end: {
    title: 'End',
    summary:
      'No more text: the rest is spoken, then the final frame is sent and the connection closes with 1000. Frames after it are ignored.',
    demands: { allOf: [EMPTY, { not: FLUSH }] },
    examples: [
      { summary: 'An empty string', payload: { text: '' } },
      {
        summary: 'As some clients write it',
        payload: { text: '', try_trigger_generation: true, flush: false },
      },
    ],
  },
};

/** The messages of `multi-stream-input`; the examples are what public clients send. */
export const MULTI_STREAM_MESSAGES: Readonly<Record<string, ClientMessage>> = {
  initialiseConnection: {
    title: 'Initialise the connection',
    summary:
      'Says who calls, and the settings of every context that sends none. Optional; starts no context.',
    demands: { allOf: [BLANK, UNNAMED] },
    examples: [
      {
        summary: 'The key in the frame, for clients that cannot set headers',
        payload: {
          text: ' ',
          voice_settings: { stability: 0.5, similarity_boost: 0.75, speed: 1, style: 0 },
          generation_config: { chunk_length_schedule: [50, 80, 120, 150] },
          xi_api_key: 'sk_…',
        },
      },
    ],
  },
  startContext: {
    title: 'Start a context',
    summary:
      'Opens a context with settings of its own. Optional: text with a new id opens one too. Five may be open at once; a closed one does not count.',
    demands: { allOf: [BLANK, NAMED] },
    examples: [
      {
        summary: 'With settings',
        payload: { text: ' ', context_id: 'turn-1', voice_settings: { speed: 1.1 } },
      },
      {
        summary: 'With the defaults',
        payload: { text: ' ', context_id: 'turn-1', voice_settings: {} },
      },
    ],
  },
  contextText: {
    title: 'Text',
    summary: 'Adds text to a context, cut anywhere. Text without an id goes to a default context.',
    demands: TEXT,
    examples: [
      { summary: 'A word or a token', payload: { text: 'Hello ', context_id: 'turn-1' } },
      {
        summary: 'A whole sentence, to be heard now',
        payload: { text: 'How can I help you? ', context_id: 'turn-1', flush: true },
      },
    ],
  },
  flushContext: {
    title: 'Flush a context',
    summary: 'Speaks everything that the context has buffered. It stays open for more text.',
    demands: { allOf: [FLUSH, NAMED] },
    examples: [
      { summary: 'Without text', payload: { context_id: 'turn-1', flush: true } },
      { summary: 'With empty text', payload: { text: '', context_id: 'turn-1', flush: true } },
    ],
  },
  closeContext: {
    title: 'Close a context',
    summary:
      'No more text: the context speaks what it has buffered, then sends one final frame. Its place is free at once. Sent a second time, it stops the speech, as for an interruption.',
    demands: {
      required: ['close_context'],
      properties: { close_context: { const: true } },
      ...NAMED,
    },
    examples: [
      {
        summary: 'At the end of a turn',
        payload: { context_id: 'turn-1', close_context: true },
      },
    ],
  },
  keepConnectionAlive: {
    title: 'Keep alive',
    summary:
      'Restarts the inactivity clock: of the connection, and of the context that it names, or of all contexts. Ends nothing.',
    demands: { allOf: [EMPTY, { not: FLUSH }] },
    examples: [
      { summary: 'For the connection', payload: { text: '' } },
      { summary: 'For a context', payload: { text: '', context_id: 'turn-1' } },
    ],
  },
  closeSocket: {
    title: 'Close the connection',
    summary:
      'Every context speaks what it has buffered and ends; then the connection closes with 1000.',
    demands: { required: ['close_socket'], properties: { close_socket: { const: true } } },
    examples: [{ summary: 'At the end of a call', payload: { close_socket: true } }],
  },
};
