import type { BotCommandName, BotEvents, LobbyEvents } from './bot-frame-schemas.ts';

interface Example {
  readonly summary: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** One message of the published description. */
export interface DescribedMessage {
  readonly title: string;
  readonly summary: string;
  /** Its schema's name; a text frame is a `ClientFrame` that fills in what `demands` says. */
  readonly schema: string;
  readonly demands?: object;
  readonly examples: readonly Example[];
}

const TURN = { context_id: 'turn-1' };
const TEXT = { required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const isTrue = (field: string) => ({ required: [field], properties: { [field]: { const: true } } });

/** The text frames, which are those of multi-stream-input. */
export const CALL_TEXT_MESSAGES: Readonly<Record<string, DescribedMessage>> = {
  callText: {
    title: 'Text',
    summary:
      'Adds text to a context, cut anywhere; a new id opens a context. It is spoken as on multi-stream-input, and heard by the caller. Contexts are heard one after another.',
    schema: 'ClientFrame',
    demands: TEXT,
    examples: [
      { summary: 'A word or a token', payload: { text: 'Hello ', ...TURN } },
      {
        summary: 'A whole sentence, to be heard now',
        payload: { text: 'How can I help you? ', ...TURN, flush: true },
      },
    ],
  },
  callFlush: {
    title: 'Flush a context',
    summary: 'Speaks everything that the context has buffered.',
    schema: 'ClientFrame',
    demands: isTrue('flush'),
    examples: [{ summary: 'Without text', payload: { ...TURN, flush: true } }],
  },
  callCloseContext: {
    title: 'Close a context',
    summary:
      'No more text: the context speaks what it has. When its last word has been heard, context_end comes.',
    schema: 'ClientFrame',
    demands: isTrue('close_context'),
    examples: [{ summary: 'At the end of a turn', payload: { ...TURN, close_context: true } }],
  },
};

/** Everything else that a bot sends. */
export const CALL_COMMANDS: Readonly<
  Record<string, DescribedMessage & { readonly schema: `${string}Command` }>
> = {
  callClear: command(
    'clear',
    'Clear',
    'Silence at once, as for an interruption: whatever is being said, or waits to be, is dropped. The interruption event says what was heard. Text in a new context is spoken at once.',
    { type: 'clear' },
  ),
  callMark: command('mark', 'Mark', 'Asks to be told when everything said so far has been heard.', {
    type: 'mark',
    name: 'greeting',
  }),
  callHangUp: command(
    'hang_up',
    'Hang up',
    'Ends the call, where the carrier allows it; otherwise its media stream. A text frame with close_socket is the same as "after_speech".',
    { type: 'hang_up', when: 'after_speech' },
    { type: 'hang_up', when: 'now' },
  ),
  callTransfer: command(
    'transfer',
    'Transfer',
    'Connects the caller to another number, once everything said so far has been heard. A refusal comes where the carrier cannot, and where the line or the key of the bot does not allow it.',
    { type: 'transfer', to: '+15551234567' },
  ),
  callAudio: command(
    'audio',
    'Audio',
    "Plays the bot's own audio, after what was said before it.",
    { type: 'audio', audio: '//////////8=' },
  ),
  callListen: command(
    'listen',
    'Listen',
    "Sends the caller's audio from now on, in this format; null ends it.",
    { type: 'listen', format: 'pcm_16000' },
    { type: 'listen', format: null },
  ),
  callKeepAlive: command('keep_alive', 'Keep alive', 'Does nothing.', { type: 'keep_alive' }),
};

const CALL = {
  call_id: '9f2c1d60a4b04f0e8f6f1c0d2b7a3e51',
  line_id: 'default',
  carrier: 'twilio',
  carrier_call_id: 'CA00000000000000000000000000000000',
  from: '+15557654321',
  to: '+15551234567',
  parameters: { campaign: 'spring' },
  audio_format: 'ulaw_8000',
  started_at_unix_ms: 1_795_000_000_000,
};

/** What a call tells its bot. */
export const CALL_EVENTS: Readonly<
  Record<string, DescribedMessage & { readonly schema: keyof typeof BotEvents }>
> = {
  callStart: event('CallStartEvent', 'Call start', 'The first event: what call it is.', {
    type: 'call_start',
    ...CALL,
  }),
  callerAudio: event(
    'CallerAudioEvent',
    'Caller audio',
    'What the caller says, after listen; binary messages instead if the address has audio=binary.',
    { type: 'audio', audio: '//////////8=' },
  ),
  callDtmf: event('DtmfEvent', 'Key', 'The caller pressed a key.', { type: 'dtmf', digit: '5' }),
  callMarkHeard: event('MarkEvent', 'Mark', 'Everything said before the mark has been heard.', {
    type: 'mark',
    name: 'greeting',
  }),
  callSpeechStart: event('SpeechStartEvent', 'Speech start', 'The caller began to speak.', {
    type: 'speech_start',
  }),
  callSpeechEnd: event('SpeechEndEvent', 'Speech end', 'The caller fell silent.', {
    type: 'speech_end',
  }),
  callInterruption: event(
    'InterruptionEvent',
    'Interruption',
    'The bot fell silent before its time, and this is how far the caller heard it.',
    {
      type: 'interruption',
      cause: 'clear',
      contexts: [{ ...TURN, heard: 'Your order', unheard: ' is on its way.', heard_ms: 640 }],
    },
  ),
  callContextEnd: event(
    'ContextEndEvent',
    'Context end',
    'A closed context has been heard to its last word.',
    { type: 'context_end', ...TURN },
  ),
  callRefusal: event(
    'RefusalEvent',
    'Refusal',
    'Something was not done. The call goes on, and so does the connection.',
    {
      type: 'refusal',
      error: 'quota_exceeded',
      message: 'The quota of this account is spent. It starts anew next month.',
      ...TURN,
    },
  ),
  callError: event(
    'CallErrorEvent',
    'Error',
    'What went wrong, before the connection closes with the same code: call_taken, call_ended, not_found, a wrong key, a message that cannot be read. The line says what becomes of the call.',
    {
      type: 'error',
      error: 'call_taken',
      message: 'Another bot has this call.',
      code: 1008,
    },
  ),
  callEnd: event('CallEndEvent', 'Call end', 'The last event; the connection closes with 1000.', {
    type: 'call_end',
    reason: 'hangup',
    duration_ms: 61_200,
  }),
};

/** What the lobby tells. */
export const LOBBY_EVENTS: Readonly<
  Record<string, DescribedMessage & { readonly schema: keyof typeof LobbyEvents }>
> = {
  callWaiting: event(
    'CallWaitingEvent',
    'Call waiting',
    'A call that no bot has: for each one at connect, and for each new one. Open /v1/calls/{call_id} to take it.',
    { type: 'call_waiting', ...CALL },
  ),
  callGone: event('CallGoneEvent', 'Call gone', 'It was taken, or has ended.', {
    type: 'call_gone',
    call_id: CALL.call_id,
  }),
};

/** The name of a command's schema, such as `HangUpCommand`. */
export function commandSchemaName(name: BotCommandName): `${string}Command` {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Command`;
}

function command(
  name: BotCommandName,
  title: string,
  summary: string,
  ...payloads: readonly Example['payload'][]
) {
  return { title, summary, schema: commandSchemaName(name), examples: payloads.map(plainExample) };
}

function event<T extends string>(
  schema: T,
  title: string,
  summary: string,
  payload: Example['payload'],
) {
  return { title, summary, schema, examples: [plainExample(payload)] };
}

function plainExample(payload: Example['payload']): Example {
  return { summary: 'As it is written', payload };
}
