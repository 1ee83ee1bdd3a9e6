import Type from 'typebox';
import { SETTING_RANGES, type WireVoiceSettings } from '../../api/wire/voice-settings.ts';
import { CARRIER_NAMES } from '../../domain/carrier.ts';
import { TRANSFER_PATTERN } from '../calls/transfer-rule.ts';

/** What a lines file may hold. A `title` completes the sentence "must be …" of a complaint. */

const strict = <T extends Type.TProperties>(properties: T, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
const optional = Type.Optional;
const text = (title = 'text') => Type.String({ minLength: 1, title });
const truth = () => Type.Boolean({ title: 'true or false' });

/** Kept in the file itself, or in one of its own that only the server can read. */
export const SecretSchema = Type.Union(
  [text(), strict({ file: text('the path of a file, as text') })],
  { title: 'the secret as text, or {file: path}' },
);
export type WrittenSecret = Type.Static<typeof SecretSchema>;

const VoiceSettingsSchema = Type.Unsafe<WireVoiceSettings>(
  strict({
    ...Object.fromEntries(
      Object.entries(SETTING_RANGES).map(([name, [minimum, maximum]]) => {
        const title = `a number from ${minimum} to ${maximum}`;
        return [name, optional(Type.Number({ minimum, maximum, title }))];
      }),
    ),
    use_speaker_boost: optional(truth()),
  }),
);

const BotSchema = strict(
  {
    attach: optional(
      strict({
        wait_s: optional(
          Type.Number({ minimum: 0, maximum: 600, title: 'a number of seconds from 0 to 600' }),
        ),
      }),
    ),
    dial: optional(
      strict({
        url: Type.String({ pattern: '^wss?://', title: 'a ws:// or wss:// address, as text' }),
        headers: optional(
          Type.Record(Type.String(), SecretSchema, { title: 'a map of header names to values' }),
        ),
      }),
    ),
    menu: optional(text('the path of a menu file, or built-in')),
  },
  { title: 'one of attach: {…}, dial: {…} and menu: path' },
);

const TransfersSchema = Type.Union(
  [
    Type.Literal('any'),
    Type.Array(
      Type.String({
        pattern: TRANSFER_PATTERN,
        title: 'a number such as "+1202555xxxx" or a SIP address such as sip:*@pbx.example.com',
      }),
    ),
  ],
  {
    title:
      'any, or a list of numbers ("+1202555xxxx", "+4930*") and SIP addresses (sip:*@pbx.example.com), as text',
  },
);

const secretOfCarrier = Object.fromEntries(
  CARRIER_NAMES.map((carrier) => [carrier, optional(SecretSchema)]),
);

export const LineSchema = strict({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    title: 'up to 64 small letters, digits, hyphens and underscores, as text',
  }),
  key_id: optional(text()),
  voice_id: optional(text()),
  model_id: optional(text()),
  voice_settings: optional(VoiceSettingsSchema),
  latency_level: optional(
    Type.Integer({ minimum: 0, maximum: 4, title: 'a whole number from 0 to 4' }),
  ),
  bot: optional(BotSchema),
  barge_in: optional(strict({ speech: optional(truth()), dtmf: optional(truth()) })),
  bot_loss: optional(strict({ finish_speech: optional(truth()), apology: optional(text()) })),
  transfers: optional(TransfersSchema),
  secrets: optional(strict(secretOfCarrier)),
});
export type WrittenLine = Type.Static<typeof LineSchema>;

export const LinesFileSchema = strict({
  lines: Type.Array(LineSchema, { title: 'a list of lines' }),
});
