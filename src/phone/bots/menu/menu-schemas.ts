import Type from 'typebox';
import { TRANSFER_TARGET_PATTERN } from '../bot-frame-schemas.ts';

/** What a menu file may hold. A `title` completes the sentence "must be …" of a complaint. */

const strict = <T extends Type.TProperties>(properties: T, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
const optional = Type.Optional;
const say = () => optional(Type.String({ minLength: 1, title: 'text' }));
const stateName = () => Type.String({ title: 'the name of a state, as text' });
const truth = () => optional(Type.Boolean({ title: 'true or false' }));
const count = (minimum: number, maximum: number) =>
  optional(
    Type.Integer({ minimum, maximum, title: `a whole number from ${minimum} to ${maximum}` }),
  );

const SetbackSchema = strict({
  say: say(),
  retries: count(0, 10),
  goto: optional(stateName()),
});

const inputRules = {
  timeout_s: optional(
    Type.Number({ minimum: 0.5, maximum: 120, title: 'a number of seconds from 0.5 to 120' }),
  ),
  timeout: optional(SetbackSchema),
  invalid: optional(SetbackSchema),
};

const PhoneKeySchema = Type.String({
  pattern: '^[0-9*#A-D]$',
  title: 'a key of a phone, as text: "0" to "9", "*", "#", "A" to "D"',
});
const TargetSchema = Type.String({
  pattern: TRANSFER_TARGET_PATTERN,
  title: 'a phone number such as "+15551234567", an extension or a SIP address, as text',
});

const CollectSchema = strict({
  into: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,31}$',
    title: 'a name of small letters, digits and underscores, as text',
  }),
  digits: count(1, 64),
  min_digits: count(1, 64),
  max_digits: count(1, 64),
  end_key: optional(PhoneKeySchema),
});

const StateSchema = strict({
  say: say(),
  barge_in: truth(),
  keys: optional(
    Type.Record(Type.String({ pattern: '^[0-9*#A-D]$' }), stateName(), {
      additionalProperties: false,
      minProperties: 1,
      title: 'a map of phone keys ("0" to "9", "*", "#", "A" to "D") to names of states',
    }),
  ),
  collect: optional(CollectSchema),
  ...inputRules,
  goto: optional(stateName()),
  transfer: optional(
    Type.Union([TargetSchema, strict({ to: TargetSchema, failed: optional(stateName()) })], {
      title: 'a number as text, such as "+15551234567", or {to: number, failed: name of a state}',
    }),
  ),
  hang_up: optional(Type.Literal(true, { title: 'true' })),
});
export type WrittenState = Type.Static<typeof StateSchema>;

export const MenuFileSchema = strict({
  start: optional(stateName()),
  barge_in: truth(),
  ...inputRules,
  states: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$' }), StateSchema, {
    additionalProperties: false,
    minProperties: 1,
    title: 'a map of states, named by small letters, digits, hyphens and underscores',
  }),
});
export type WrittenMenu = Type.Static<typeof MenuFileSchema>;
