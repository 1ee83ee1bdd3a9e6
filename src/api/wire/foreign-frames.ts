import { SpeechError } from '../../domain/errors.ts';

type Frame = Readonly<Record<string, unknown>>;

interface SocketWire {
  readonly address: string;
  /** Whether a frame looks like one of this wire. */
  readonly owns: (frame: Frame) => boolean;
}

const ofText = ['text', 'generation_config', 'try_trigger_generation'];
const ofDialogue = ['inputs', 'voices'];
/** Of the original's websockets, with or without a dialogue. */
const ofBoth = ['voice_settings', 'context_id', 'close_socket', 'flush', 'xi_api_key'];
const hasAny = (frame: Frame, names: readonly string[]) =>
  names.some((name) => Object.hasOwn(frame, name));
const isUntyped = (frame: Frame) => frame['type'] === undefined && !isCartesian(frame);

/** The websockets that clients may take for each other, and how their frames are told apart. */
const SOCKET_WIRES = {
  streamInput: {
    address: 'WS /v1/text-to-speech/{voice_id}/stream-input or …/multi-stream-input',
    owns: (frame) =>
      isUntyped(frame) && hasAny(frame, [...ofText, ...ofBoth]) && !hasAny(frame, ofDialogue),
  },
  dialogue: {
    address: 'WS /v1/text-to-dialogue/stream-input or …/multi-stream-input',
    owns: (frame) =>
      isUntyped(frame) && hasAny(frame, [...ofDialogue, ...ofBoth]) && !hasAny(frame, ofText),
  },
  deepgram: {
    address: 'WS /v1/speak',
    owns: ({ type }) => ['Speak', 'Flush', 'Clear', 'Close'].includes(String(type)),
  },
  cartesia: { address: 'WS /tts/websocket', owns: isCartesian },
} as const satisfies Readonly<Record<string, SocketWire>>;

/** The first wire has `context_id` and `flush` too. */
function isCartesian(frame: Frame): boolean {
  return ['transcript', 'cancel'].some((name) => Object.hasOwn(frame, name)) && !('text' in frame);
}

/**
 * Looks whether a message was meant for another address.
 * @param own the wire of this address.
 * @throws SpeechError `invalid_input_message` that names the address it was meant for.
 */
export function assertNotForeign(message: unknown, own: keyof typeof SOCKET_WIRES): void {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return;
  if (SOCKET_WIRES[own].owns(message as Frame)) return;
  const wires: ReadonlyArray<readonly [string, SocketWire]> = Object.entries(SOCKET_WIRES);
  const foreign = wires.find(([name, { owns }]) => name !== own && owns(message as Frame));
  if (!foreign) return;
  throw new SpeechError(
    'invalid_input_message',
    `Invalid message: it is one of ${foreign[1].address}. Connect to that address, or send the messages of this one.`,
    { param: 'type' },
  );
}
