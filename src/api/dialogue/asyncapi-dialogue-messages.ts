import type { ClientMessage } from '../stream/asyncapi-client-messages.ts';
import { type ServerMessage, SHORT_AUDIO } from '../stream/asyncapi-server-messages.ts';

const GEORGE = 'JBFqnCBsd6RMkjVDRZzb';
const RACHEL = '21m00Tcm4TlvDq8ikWAM';

const given = (name: string, value: object = {}) => ({
  required: [name],
  properties: { [name]: value },
});
const TRUE = { const: true };
const trace = (chunkNumber: number) => ({
  'x-trace-id': `5f0c2a4e-7f0d-4b8e-9d41-6c0e2f1a7b33-${chunkNumber}`,
});

/**
 * What a client sends; the examples are what public clients do.
 *
 * @param prefix of the messages' names.
 * @param contextId of the examples, on the websocket that has contexts.
 */
export function dialogueMessages(
  prefix: string,
  contextId?: string,
): Readonly<Record<string, ClientMessage>> {
  const named = contextId === undefined ? {} : { context_id: contextId };
  const closes: ClientMessage = {
    title: 'Close a context',
    summary: 'No more text: what the context was sent is spoken, then its final frame is sent.',
    demands: given('close_context', TRUE),
    examples: [{ summary: 'At the end of a turn', payload: { ...named, close_context: true } }],
  };
  return {
    [`${prefix}Voices`]: {
      title: 'Voices',
      summary: 'The first message of a dialogue: who speaks in it. It may carry the key.',
      demands: given('voices', { type: 'array' }),
      examples: [
        {
          summary: 'Two voices, and how they deliver',
          payload: { ...named, voices: [RACHEL, GEORGE], voice_settings: { stability: 0.5 } },
        },
        {
          summary: 'The key in the frame, for clients that cannot set headers',
          payload: { ...named, voices: [RACHEL], xi_api_key: 'sk_…' },
        },
      ],
    },
    [`${prefix}Inputs`]: {
      title: 'Inputs',
      summary: 'Adds text, cut anywhere, each piece with the voice that says it.',
      demands: given('inputs', { type: 'array' }),
      examples: [
        {
          summary: 'A token',
          payload: { ...named, inputs: [{ text: 'Are ', voice_id: RACHEL }] },
        },
        {
          summary: 'Two turns',
          payload: {
            ...named,
            inputs: [
              { text: 'Are you there?', voice_id: RACHEL, new_turn: true },
              { text: '[laughs] Where else?', voice_id: GEORGE, new_turn: true },
            ],
          },
        },
      ],
    },
    [`${prefix}Flush`]: {
      title: 'Flush',
      summary: 'Speaks everything that waits, and says when its audio has been sent.',
      demands: given('flush', TRUE),
      examples: [{ summary: 'At the end of a turn', payload: { ...named, flush: true } }],
    },
    [`${prefix}KeepAlive`]: {
      title: 'Keep alive',
      summary: 'Restarts the inactivity clock.',
      demands: given('keep_alive', TRUE),
      examples: [{ summary: 'Every ten seconds', payload: { ...named, keep_alive: true } }],
    },
    ...(contextId !== undefined && { [`${prefix}Close`]: closes }),
    [`${prefix}End`]: {
      title: 'End',
      summary: 'Everything that was sent is spoken; then the connection closes with 1000.',
      demands: given('close_socket', TRUE),
      examples: [{ summary: 'No more text', payload: { close_socket: true } }],
    },
  };
}

/** What the server sends; parameters as of `dialogueMessages`. */
export function dialogueReplies(
  prefix: string,
  contextId?: string,
): Readonly<Record<string, ServerMessage>> {
  const named = contextId === undefined ? {} : { context_id: contextId };
  const alignment = {
    chars: ['H', 'i', '.', ' '],
    char_start_times_ms: [0, 46, 93, 139],
    char_durations_ms: [46, 47, 46, 0],
  };
  return {
    [`${prefix}Audio`]: {
      title: 'Audio',
      summary: 'Speech, as soon as it is made, in the order of the text.',
      schema: 'DialogueAudioFrame',
      examples: [
        {
          summary: 'With times (audio shortened)',
          payload: { audio: SHORT_AUDIO, alignment, ...named, ...trace(1) },
        },
        {
          summary: 'In which no character starts (audio shortened)',
          payload: { audio: SHORT_AUDIO, ...named, ...trace(1) },
        },
      ],
    },
    [`${prefix}TurnFinal`]: {
      title: 'Final audio for a turn',
      summary: 'All audio of what was sent before a flush has been sent.',
      schema: 'DialogueTurnFinalFrame',
      examples: [
        {
          summary: 'Once for each flush',
          payload: { is_final_audio_for_turn: true, ...named, ...trace(1) },
        },
      ],
    },
    [`${prefix}Final`]: {
      title: 'Final',
      summary: 'The dialogue has ended: sent exactly once, and nothing of it follows.',
      schema: 'DialogueFinalFrame',
      examples: [
        { summary: 'After the last audio', payload: { is_final: true, ...named, ...trace(1) } },
      ],
    },
    [`${prefix}Error`]: {
      title: 'Error',
      summary:
        'What went wrong. The connection closes with the same code; the reason is the message, cut to 123 bytes.',
      schema: 'DialogueErrorFrame',
      examples: [
        {
          summary: 'A voice that does not exist',
          payload: {
            message: 'There is no voice "nobody". GET /v1/voices lists those there are.',
            error: 'voice_id_does_not_exist',
            code: 1008,
            ...named,
            ...trace(0),
          },
        },
      ],
    },
  };
}
