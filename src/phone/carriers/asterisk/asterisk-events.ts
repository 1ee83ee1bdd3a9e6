import Type from 'typebox';
import { digit, wholeNumberField } from '../message-fields.ts';
import { MessageReader, messageObject } from '../message-reader.ts';

const text = Type.String({ minLength: 1 });
const idOf = Type.Object({ correlation_id: Type.Optional(Type.String()) });

const events = new MessageReader('Asterisk', 'event', {
  MEDIA_START: Type.Object({
    channel: text,
    channel_id: Type.Optional(text),
    format: text,
    optimal_frame_size: wholeNumberField,
    ptime: Type.Optional(wholeNumberField),
    channel_variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  DTMF_END: Type.Object({ digit }),
  MEDIA_XOFF: Type.Object({}),
  MEDIA_XON: Type.Object({}),
  MEDIA_MARK_PROCESSED: idOf,
  MEDIA_BUFFERING_COMPLETED: idOf,
  QUEUE_DRAINED: Type.Object({}),
  ERROR: Type.Object({ error_text: Type.Optional(Type.String()) }),
});
export type AsteriskEvent = NonNullable<ReturnType<typeof events.check>>;
export type MediaStart = Extract<AsteriskEvent, { kind: 'MEDIA_START' }>['body'];

/** What control messages are written in: `f(json)` of the dial string, or lines of words. */
export type ControlForm = 'json' | 'plain';

/**
 * Reads an event of chan_websocket in either form.
 * @returns undefined for an event that says nothing to us, such as `STATUS`.
 * @throws SpeechError `invalid_input_message`.
 */
export function readAsteriskEvent(message: string): {
  readonly form: ControlForm;
  readonly event: AsteriskEvent | undefined;
} {
  const isJson = message.trimStart().startsWith('{');
  const body = isJson ? messageObject('Asterisk', message) : plainBody(message);
  return { form: isJson ? 'json' : 'plain', event: events.check(body) };
}

/**
 * `EVENT name:value name:value`, where values have no spaces; the answers to marks and to the end
 * of buffering have a bare id instead.
 */
function plainBody(message: string): Readonly<Record<string, unknown>> {
  const [event, ...words] = message.trim().split(' ');
  if (event === 'ERROR') return { event, error_text: words.join(' ') };
  const pairs = words.map((word) => {
    const colon = word.indexOf(':');
    return colon < 0 ? ['correlation_id', word] : [word.slice(0, colon), word.slice(colon + 1)];
  });
  return { ...Object.fromEntries(pairs), event };
}
