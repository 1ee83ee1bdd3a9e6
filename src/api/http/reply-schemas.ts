import { type Static, type TSchema, Type } from 'typebox';

/** What a reply has where there may be nothing. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const UnixSeconds = (description: string) =>
  Type.Integer({ description: `${description} Seconds since 1970.` });

/** A field that clients of the original demand, and that has nothing to say here. */
export const Unused = () => Type.Null({ description: 'Always null here.' });

/** The reply to a change that leaves nothing to tell. */
export const Done = Type.Object({ status: Type.Literal('ok') }, { title: 'Done' });
export const DONE: Static<typeof Done> = { status: 'ok' };
