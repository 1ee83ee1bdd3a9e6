import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import type { CarrierName } from '../../../../src/domain/carrier.ts';
import type { DeskCallLog } from '../../../../src/tools/desk-phone/call-log.ts';
import type {
  CarrierSide,
  OutgoingCall,
  SideEvent,
} from '../../../../src/tools/desk-phone/carrier-side.ts';
import type { HeardRun } from '../../../../src/tools/desk-phone/playout-rules.ts';
import { SIDES } from '../../../../src/tools/desk-phone/sides/registry.ts';

export const STARTS_AT_MS = Date.UTC(2026, 10, 21, 12);

/** A side whose ids are 00000000-0000-0000-0000-000000000001, …2 and so on. */
export function side(carrier: CarrierName, setup: Partial<OutgoingCall> = {}): CarrierSide {
  let ids = 0;
  return SIDES[carrier]({
    from: '+12025550123',
    to: '+12025550199',
    parameters: {},
    apiKey: undefined,
    format: undefined,
    variant: undefined,
    newId: () => uuid(++ids),
    startsAtMs: STARTS_AT_MS,
    ...setup,
  });
}

export function uuid(number: number): string {
  return `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
}

/** Messages as they are, with JSON read. */
export function read(messages: readonly (string | Uint8Array)[]): unknown[] {
  return messages.map((message) =>
    typeof message === 'string' && message.startsWith('{') ? JSON.parse(message) : message,
  );
}

export function findings(events: readonly SideEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'finding' ? [event.text] : []));
}

/** What is left when the findings are taken out. */
export function effects(events: readonly SideEvent[]): SideEvent[] {
  return events.filter(({ type }) => type !== 'finding');
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Speech-like mu-law: no silence, no zeros. */
export function mulawTone(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => (index % 2 === 0 ? 0x90 : 0x10));
}

/** A stretch of mu-law at half of full scale. */
export function run(startMs: number, endMs: number, end: HeardRun['end'] = 'dry'): HeardRun {
  return { startMs, endMs, audio: [mulawTone(8 * (endMs - startMs))], end };
}

export function callLog(parts: Partial<DeskCallLog> = {}): DeskCallLog {
  return {
    carrier: 'twilio',
    format: parseOutputFormat('ulaw_8000'),
    durationMs: 10_000,
    ending: { by: 'caller', reason: 'The caller hung up.' },
    arrivals: [],
    runs: [],
    clears: [],
    marks: [],
    moments: [],
    findings: [],
    droppedMs: 0,
    caller: { startMs: 0, frames: [] },
    ...parts,
  };
}
