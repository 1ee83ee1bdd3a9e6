import type Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { parseBoundedJson } from '../../domain/bounded-json.ts';
import type { CarrierMessage } from '../../domain/carrier.ts';
import { SpeechError } from '../../domain/errors.ts';
import { assertSchema } from '../../domain/schema-errors.ts';

/** One message, told apart by its kind. */
export type ReadMessage<Schemas extends Readonly<Record<string, Type.TSchema>>> = {
  [Kind in keyof Schemas & string]: {
    readonly kind: Kind;
    readonly body: Type.Static<Schemas[Kind]>;
  };
}[keyof Schemas & string];

/** Reads a carrier's JSON messages: objects in which one field says which kind of message it is. */
export class MessageReader<Schemas extends Readonly<Record<string, Type.TSchema>>> {
  readonly #carrier: string;
  readonly #kindField: string;
  readonly #validators: ReadonlyMap<string, Validator>;

  /**
   * @param carrier its name, as errors say it.
   * @param kindField the field that tells the kind.
   * @param schemas what a message of each kind must look like.
   */
  constructor(carrier: string, kindField: string, schemas: Schemas) {
    this.#carrier = carrier;
    this.#kindField = kindField;
    this.#validators = new Map(
      Object.entries(schemas).map(([kind, schema]) => [kind, Compile(schema) as Validator]),
    );
  }

  /**
   * @returns undefined for a kind that is not known: later protocols have more of them.
   * @throws SpeechError `invalid_input_message` that names the field at fault.
   */
  read(text: string): ReadMessage<Schemas> | undefined {
    return this.check(messageObject(this.#carrier, text));
  }

  /** The same for a message that is an object already. */
  check(body: Readonly<Record<string, unknown>>): ReadMessage<Schemas> | undefined {
    const kind = body[this.#kindField];
    if (typeof kind !== 'string') {
      throw invalidMessage(this.#carrier, `${this.#kindField} must be a string.`);
    }
    const validator = this.#validators.get(kind);
    if (!validator) return undefined;
    const subject = `Invalid message from ${this.#carrier}: in "${kind}", `;
    assertSchema(validator, body, { subject });
    return { kind, body } as unknown as ReadMessage<Schemas>;
  }
}

/** @throws SpeechError `invalid_input_message` for anything but a JSON object. */
export function messageObject(carrier: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch (cause) {
    throw invalidMessage(carrier, 'it is not JSON.', cause);
  }
  if (isObject(value)) return value;
  throw invalidMessage(carrier, 'it is not a JSON object.');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws SpeechError `invalid_input_message` for a binary message. */
export function textOf(carrier: string, message: CarrierMessage): string {
  if (typeof message === 'string') return message;
  throw invalidMessage(carrier, 'it is binary, where only text is due.');
}

/**
 * The bytes of Base64, which Node's decoder would make of any text.
 * @throws SpeechError `invalid_input_message`.
 */
export function base64Bytes(carrier: string, text: string): Uint8Array {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw invalidMessage(carrier, 'its audio is not Base64.');
  }
  return Buffer.from(text, 'base64');
}

/**
 * Audio whose samples are whole.
 * @throws SpeechError `invalid_input_message` for half a sample.
 */
export function wholeSamples(carrier: string, audio: Uint8Array): Uint8Array {
  if (audio.length % 2 === 0) return audio;
  throw invalidMessage(carrier, `${audio.length} bytes of 16-bit audio end inside a sample.`);
}

/** @param problem completes "Invalid message from CARRIER: …". */
export function invalidMessage(carrier: string, problem: string, cause?: unknown): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `Invalid message from ${carrier}: ${problem}`,
    cause === undefined ? {} : { cause },
  );
}
