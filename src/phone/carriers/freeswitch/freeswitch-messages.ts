import Type from 'typebox';
import { digit } from '../message-fields.ts';
import { MessageReader } from '../message-reader.ts';

/**
 * What FreeSWITCH modules say in text, apart from the metadata that come first. `dtmf` is what
 * jambonz sends, and what a dialplan may send with `uuid_audio_stream UUID send_text`.
 */
export const freeswitchMessages = new MessageReader('FreeSWITCH', 'event', {
  dtmf: Type.Union([
    Type.Object({ digit }),
    Type.Object({ dtmf: digit }),
    Type.Object({ data: Type.Object({ digit }) }),
  ]),
  mark: Type.Object({ data: Type.Object({ name: Type.String() }) }),
});
