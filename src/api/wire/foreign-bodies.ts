import { SpeechError } from '../../domain/errors.ts';

interface BodyWire {
  readonly address: string;
  /** The field that its text is in. */
  readonly textField: string;
}

/** The routes over HTTP that clients may take for each other. */
const BODY_WIRES = {
  firstWire: { address: 'POST /v1/text-to-speech/{voice_id}', textField: 'text' },
  openai: { address: 'POST /v1/audio/speech', textField: 'input' },
  deepgram: { address: 'POST /v1/speak', textField: 'text' },
  cartesia: { address: 'POST /tts/bytes', textField: 'transcript' },
} as const satisfies Readonly<Record<string, BodyWire>>;
type WireName = keyof typeof BODY_WIRES;

/** What the first wire says beside its text; Deepgram, whose text has the same name, says all in the query. */
const FIRST_WIRE_FIELDS = ['voice_settings', 'model_id'];

/**
 * Looks whether the body of a request to speak was meant for another address.
 * @param own the wire of this address.
 * @throws SpeechError `invalid_parameters` that names the address it was meant for.
 */
export function assertNotForeignBody(body: unknown, own: WireName): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const foreign = foreignWire(body, own);
  if (!foreign) return;
  const { address, textField } = BODY_WIRES[foreign];
  throw new SpeechError(
    'invalid_parameters',
    `This body is for ${address}. Send it to that address, or what this one takes: its text is in "${BODY_WIRES[own].textField}".`,
    { param: textField },
  );
}

function foreignWire(body: object, own: WireName): WireName | undefined {
  const has = (name: string) => Object.hasOwn(body, name);
  if (own === 'deepgram' && has('text') && FIRST_WIRE_FIELDS.some(has)) return 'firstWire';
  const { textField } = BODY_WIRES[own];
  if (has(textField)) return undefined;
  const names = Object.keys(BODY_WIRES) as WireName[];
  return names.find((name) => has(BODY_WIRES[name].textField));
}
