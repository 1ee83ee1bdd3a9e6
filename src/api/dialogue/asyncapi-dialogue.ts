import type { ChannelRow } from '../stream/asyncapi-channels.ts';
import { dialogueMessages, dialogueReplies } from './asyncapi-dialogue-messages.ts';
import { DialogueFrameSchema, DialogueFrames } from './dialogue-frame-schemas.ts';
import { DIALOGUE_QUERY_SCHEMA } from './dialogue-query.ts';

const shared = {
  parameters: {},
  query: DIALOGUE_QUERY_SCHEMA,
  clientSchema: 'DialogueFrame',
  schemas: { DialogueFrame: DialogueFrameSchema, ...DialogueFrames },
};

/** The websockets of dialogues, for the AsyncAPI document. */
export const DIALOGUE_CHANNELS: Readonly<Record<string, ChannelRow>> = {
  dialogueStreamInput: {
    ...shared,
    address: '/v1/text-to-dialogue/stream-input',
    title: 'Dialogue stream input',
    summary: 'Speaks one dialogue of several voices, and closes when it has been spoken.',
    clientMessages: dialogueMessages('dialogue'),
    serverMessages: dialogueReplies('dialogue'),
  },
  dialogueMultiStreamInput: {
    ...shared,
    address: '/v1/text-to-dialogue/multi-stream-input',
    title: 'Dialogue multi-stream input',
    summary:
      'Speaks any number of dialogues, each in a context with voices of its own, on a connection that lasts a whole call.',
    clientMessages: dialogueMessages('dialogueContext', 'turn-1'),
    serverMessages: dialogueReplies('dialogueContext', 'turn-1'),
  },
};
