import { SpeechError } from './errors.ts';

/** A complaint of a schema validator, as far as it is of use here. */
export interface SchemaError {
  /** A JSON Pointer into the value. */
  readonly instancePath: string;
  readonly message: string;
}

/** A compiled schema. */
export interface SchemaValidator {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly SchemaError[];
}

/**
 * Holds a message to its schema.
 * @param subject how the complaint begins, such as "Invalid message: ".
 * @param advice a sentence to follow the complaint.
 * @throws SpeechError `invalid_input_message` that names the first field at fault.
 */
export function assertSchema(
  validator: SchemaValidator,
  value: unknown,
  { subject, advice }: { readonly subject: string; readonly advice?: string },
): void {
  if (validator.Check(value)) return;
  const [first] = validator.Errors(value);
  const field = pointerSteps(first?.instancePath ?? '').join('.') || 'the message';
  const sentences = [`${subject}${field} ${first?.message ?? 'is not valid'}.`];
  if (advice !== undefined) sentences.push(advice);
  throw new SpeechError('invalid_input_message', sentences.join(' '), { param: field });
}

/** The steps of a JSON Pointer (RFC 6901). */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
