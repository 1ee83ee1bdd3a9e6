import Type from 'typebox';
import { digit } from '../message-fields.ts';
import { MessageReader } from '../message-reader.ts';

/** What Vonage says in text; audio comes in binary messages. */
export const vonageMessages = new MessageReader('Vonage', 'event', {
  /** What the call set-up document put under `headers` lies beside these two. */
  'websocket:connected': Type.Object({
    'content-type': Type.String({ pattern: '^audio/l16;\\s*rate=(8000|16000|24000)$' }),
  }),
  // Its documents have shown both places.
  'websocket:dtmf': Type.Union([
    Type.Object({ digit }),
    Type.Object({ dtmf: Type.Union([digit, Type.Object({ digit })]) }),
  ]),
  'websocket:cleared': Type.Object({}),
  'websocket:notify': Type.Object({ payload: Type.Optional(Type.Unknown()) }),
});
