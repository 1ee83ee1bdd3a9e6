import { randomUUID } from 'node:crypto';
import type { OutputFormat } from '../../domain/audio.ts';
import type { CarrierName } from '../../domain/carrier.ts';
import type { WavAudio } from '../../synthesis/audio/wav.ts';
import type { Background } from './caller-voice.ts';
import type { CarrierSide, OutgoingCall } from './carrier-side.ts';
import { DeskPhone } from './desk-phone.ts';
import { PhoneError } from './phone-error.ts';
import { type CallPlan, PhoneScript } from './phone-script.ts';
import { SIDES } from './sides/registry.ts';
import { tcpTransport } from './tcp-transport.ts';
import type { OpenTransport } from './transport.ts';
import { websocketTransport } from './websocket-transport.ts';

/** Whom to call, as which carrier, and with what. */
export interface CallTarget {
  readonly carrier: CarrierName;
  /** `ws:`, `wss:`, or `tcp:` for AudioSocket. */
  readonly url: URL;
  readonly apiKey?: string | undefined;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly to?: string;
  readonly format?: OutputFormat | undefined;
  readonly variant?: string | undefined;
  readonly callId?: string | undefined;
  readonly background?: Background;
}

/** Numbers that belong to nobody: 555-0100 to 555-0199 are kept for stories. */
const FROM = '+12025550123';
const TO = '+12025550199';

/**
 * Places a call, without anybody who speaks or presses keys.
 * @param onFrame asked at every frame of the caller's audio.
 * @throws PhoneError.
 */
export async function dial(
  target: CallTarget,
  onFrame?: (phone: DeskPhone) => void,
): Promise<DeskPhone> {
  const side = openSide(target);
  return DeskPhone.dial({
    carrier: target.carrier,
    side,
    transport: transportTo(target, side),
    ...(target.background && { background: target.background }),
    ...(onFrame && { onFrame }),
  });
}

/**
 * Places a call and does what the plan says, until the call is over.
 * @param speech what the caller says; needed if the plan speaks.
 * @throws PhoneError.
 */
export async function placeCall(
  target: CallTarget,
  plan: CallPlan,
  speech?: WavAudio,
): Promise<DeskPhone> {
  const script = new PhoneScript(plan);
  const phone = await dial(target, (it) => {
    for (const action of script.due(it.state)) {
      if (action.type === 'press') it.press(action.digit);
      else if (action.type === 'hang-up') it.hangUp();
      else if (speech) it.say(speech);
    }
  });
  await phone.ended;
  return phone;
}

function openSide(target: CallTarget): CarrierSide {
  const setup: OutgoingCall = {
    from: target.from ?? FROM,
    to: target.to ?? TO,
    parameters: target.parameters ?? {},
    apiKey: target.apiKey,
    format: target.format,
    variant: target.variant,
    callId: target.callId,
    newId: randomUUID,
    startsAtMs: Date.now(),
  };
  return SIDES[target.carrier](setup);
}

function transportTo({ carrier, url }: CallTarget, { handshake }: CarrierSide): OpenTransport {
  const isTcp = carrier === 'audiosocket';
  const allowed = isTcp ? ['tcp:'] : ['ws:', 'wss:'];
  if (!allowed.includes(url.protocol)) {
    throw new PhoneError(
      'unsuitable',
      `${carrier} connects to ${isTcp ? 'tcp://host:port' : 'ws:// or wss:// addresses'}, not to ${url.protocol}//.`,
    );
  }
  if (isTcp) return tcpTransport(url.hostname, Number(url.port));
  const full = new URL(url);
  for (const [name, value] of Object.entries(handshake.query)) {
    full.searchParams.set(name, value);
  }
  return websocketTransport(full, handshake.headers);
}
