import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import type { CarrierMessage, CarrierName } from '../../../../../src/domain/carrier.ts';
import type { CallStart, CarrierEvent } from '../../../../../src/phone/calls/carrier.ts';
import { CARRIERS } from '../../../../../src/phone/carriers/registry.ts';
import type { OutgoingCall } from '../../../../../src/tools/desk-phone/carrier-side.ts';
import { DeskCall } from '../../../../../src/tools/desk-phone/desk-call.ts';
import { side } from '../phone-harness.ts';

interface Case {
  readonly name: CarrierName;
  readonly setup?: Partial<OutgoingCall>;
  /** Whether the protocol has no room for numbers and parameters. */
  readonly isMute?: boolean;
}

const pcm = (rate: number) => ({ format: parseOutputFormat(`pcm_${rate}`) });

const CASES: readonly Case[] = [
  { name: 'twilio' },
  { name: 'signalwire' },
  { name: 'signalwire', setup: pcm(16_000) },
  { name: 'telnyx' },
  { name: 'telnyx', setup: pcm(16_000) },
  { name: 'plivo' },
  { name: 'plivo', setup: pcm(16_000) },
  { name: 'vonage' },
  { name: 'vonage', setup: pcm(8000) },
  { name: 'exotel' },
  { name: 'exotel', setup: pcm(24_000) },
  { name: 'genesys' },
  { name: 'asterisk' },
  { name: 'asterisk', setup: { variant: 'plain' } },
  { name: 'asterisk', setup: pcm(16_000) },
  { name: 'audiosocket', isMute: true },
  { name: 'audiosocket', setup: pcm(16_000), isMute: true },
  { name: 'freeswitch' },
  { name: 'freeswitch', setup: { variant: 'audio_stream_raw' } },
  { name: 'freeswitch', setup: { variant: 'audio_stream_kill' } },
  { name: 'freeswitch', setup: { variant: 'audio_fork', ...pcm(16_000) } },
];

/** The two halves of one protocol, joined without a network. */
function join({ name, setup }: Case) {
  const phoneSide = side(name, { parameters: { lang: 'en' }, apiKey: 'sk_1', ...setup });
  const request = {
    headers: Object.fromEntries(
      Object.entries(phoneSide.handshake.headers).map(([header, value]) => [
        header.toLowerCase(),
        value,
      ]),
    ),
    query: phoneSide.handshake.query,
  };
  const ordinary = CARRIERS.find((each) => each.name === name);
  if (!ordinary) throw new Error(`There is no carrier ${name}.`);
  const carrier = ordinary.variant?.(request) ?? ordinary;
  const dialect = carrier.open(request);
  const call = new DeskCall(name, phoneSide, 0);
  const events: CarrierEvent[] = [];
  const toServer = (messages: readonly CarrierMessage[], nowMs: number): void => {
    for (const message of messages) {
      for (const event of dialect.receive(message)) {
        events.push(event);
        if (event.type === 'reply') toPhone(event.messages, nowMs);
      }
    }
  };
  const toPhone = (messages: readonly CarrierMessage[], nowMs: number): void => {
    for (const message of messages) toServer(call.receive(message, nowMs), nowMs);
  };
  toServer(call.greet(), 0);
  const unitBytes = phoneSide.format.bitsPerSecond / 8 / 50;
  return { carrier, dialect, call, events, toServer, toPhone, unitBytes, side: phoneSide };
}

describe.each(CASES)('the phone and the server speak $name $setup', (its) => {
  it('and agree on the call, the caller and his keys', () => {
    const { events, call, toServer, side: phoneSide } = join(its);
    const { frameMs, format } = phoneSide;
    const frame = new Uint8Array((format.bitsPerSecond * frameMs) / 8000).fill(0x55);
    toServer(call.callerAudio(frame, frameMs), frameMs);
    toServer(call.press('5', 500), 500);
    toServer(call.hangUp(600), 600);
    const start = events.find(({ type }) => type === 'start') as
      | { readonly start: CallStart }
      | undefined;
    expect(start?.start.callerFormat.name).toBe(format.name);
    expect(start?.start.spokenFormat.name).toBe(format.name);
    if (!its.isMute) {
      expect(start?.start).toMatchObject({ from: '+12025550123', to: '+12025550199' });
      expect(start?.start.parameters).toMatchObject({ lang: 'en' });
    }
    const audio = events.flatMap((event) => (event.type === 'caller-audio' ? [event.audio] : []));
    expect(Buffer.concat(audio).equals(frame)).toBe(true);
    expect(events).toContainEqual({ type: 'dtmf', digit: '5' });
  });

  it('and what the server says is heard, without a finding', () => {
    const { carrier, call, dialect, events, toServer, toPhone, unitBytes } = join(its);
    const frameMs = call.side.frameMs;
    const frame = call.side.format.bitsPerSecond * (frameMs / 8000);
    toServer(call.callerAudio(new Uint8Array(frame).fill(0x55), frameMs), frameMs);
    const batch = carrier.unitsPerMessage;
    let nowMs = 1000;
    for (let units = 0; units < 10 * batch; units += batch, nowMs += 20 * batch) {
      toServer(call.tick(nowMs), nowMs);
      toPhone(dialect.play(new Uint8Array(unitBytes * batch).fill(0x55)), nowMs);
    }
    toPhone(dialect.mark('end'), nowMs);
    toPhone(dialect.done(), nowMs);
    toServer(call.tick(nowMs + 5000), nowMs + 5000);
    const log = call.log(nowMs + 5000);
    expect(log.findings).toEqual([]);
    const bytes = log.arrivals.reduce((sum, arrival) => sum + arrival.bytes, 0);
    expect(bytes).toBe(10 * batch * unitBytes);
    if (carrier.answersMarks) expect(events).toContainEqual({ type: 'mark', name: 'end' });
  });

  it('and a clear is silence, where the carrier can', () => {
    const { carrier, call, dialect, toPhone, toServer, unitBytes } = join(its);
    const frameMs = call.side.frameMs;
    const frame = call.side.format.bitsPerSecond * (frameMs / 8000);
    toServer(call.callerAudio(new Uint8Array(frame).fill(0x55), frameMs), frameMs);
    const units = carrier.unitsPerMessage * 10;
    toPhone(dialect.play(new Uint8Array(unitBytes * units).fill(0x55)), 1000);
    toPhone(dialect.clear(), 1050);
    const log = call.log(1050);
    expect(log.findings.filter(({ text }) => !text.includes('200 ms ahead'))).toEqual([]);
    expect(log.clears.length).toBe(carrier.clears ? 1 : 0);
    toPhone(dialect.play(new Uint8Array(unitBytes * carrier.unitsPerMessage).fill(0x55)), 3000);
    expect(call.tick(3000)).toBeDefined();
    expect(call.isPlaying || call.side.playout.prefillMs > 0).toBe(true);
  });

  it('and the server can hang up', () => {
    const { call, dialect, toPhone } = join(its);
    toPhone(dialect.hangUp(), 100);
    const closesOnly = ['twilio', 'signalwire', 'telnyx', 'plivo', 'vonage', 'exotel'];
    const isStream = its.name === 'freeswitch' && its.setup?.variant !== 'audio_fork';
    if (closesOnly.includes(its.name) || isStream) expect(call.wantsEnd).toBeUndefined();
    else expect(call.wantsEnd).toBeDefined();
    expect(call.log(100).findings).toEqual([]);
  });
});
