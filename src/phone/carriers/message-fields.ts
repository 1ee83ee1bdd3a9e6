import Type from 'typebox';

/** A number that some carriers write as text. */
export const wholeNumberField = Type.Union([
  Type.Integer({ minimum: 0 }),
  Type.String({ pattern: '^\\d{1,15}$' }),
]);

/** One key of a phone; A to D are on few. */
export const digit = Type.String({ pattern: '^[0-9*#A-Da-d]$' });

/** Left out or null: to some carriers it is the same. */
export const optional = <T extends Type.TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
