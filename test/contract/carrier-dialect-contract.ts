import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarrierMessage } from '../../src/domain/carrier.ts';
import { SpeechError } from '../../src/domain/errors.ts';
import type {
  CallStart,
  Carrier,
  CarrierDialect,
  CarrierEvent,
} from '../../src/phone/calls/carrier.ts';
import { unitBytes } from '../../src/phone/carriers/json-media.ts';
import {
  carrierMessages,
  openDialect,
  replay,
  requestOf,
  type Transcript,
  thrownBy,
  transcriptsOf,
} from './carrier-transcripts.ts';

/** What no carrier says, as text. */
const GARBAGE = [
  '',
  ' ',
  '{',
  '}',
  'null',
  'true',
  '[]',
  '"start"',
  '0',
  '{}',
  '{"event":null}',
  '{"event":{}}',
  '{"event":"start"}',
  '{"event":"start","start":null}',
  '{"event":"start","start":[],"streamSid":[]}',
  '{"event":"media"}',
  '{"event":"media","media":null}',
  '{"event":"media","media":{"payload":5}}',
  '{"event":"mark","mark":{"name":{}}}',
  '{"event":"dtmf","dtmf":{"digit":"12"}}',
  '{"event":"dtmf","dtmf":{"digit":"\\u0000"}}',
  '{"event":"a protocol of the future","x":{"y":[1,2,3]}}',
  '{"type":"a protocol of the future"}',
  '{"__proto__":{"polluted":true},"event":"start"}',
  '{"constructor":{"prototype":{"polluted":true}},"event":"start"}',
  `${'['.repeat(5000)}`,
  `{"event":"start","start":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
  '\u0000\u0001\u0002',
  '\ud800',
];

/** What every `CarrierDialect` must do. */
export function carrierDialectContract(carrier: Carrier): void {
  const transcripts = transcriptsOf(carrier.name);

  describe(`the dialect of ${carrier.name}`, () => {
    it('is written down, with a call that starts', () => {
      const isStart = (transcript: Transcript) => started(carrier, transcript) !== undefined;
      expect(transcripts.some(isStart)).toBe(true);
    });

    for (const transcript of transcripts) {
      it(`says and understands ${transcript.name}`, () => {
        expect(transcript.lines[0]?.about).toBeTruthy();
        replay(carrier, transcript);
      });
    }

    describe.each(transcripts.filter((transcript) => started(carrier, transcript) !== undefined))(
      'after the beginning of $name',
      (transcript) => {
        hostileInput(carrier, transcript);
        outgoing(carrier, transcript);
      },
    );
  });
}

interface Started {
  readonly dialect: CarrierDialect;
  readonly start: CallStart;
  /** The message that started the call. */
  readonly message: CarrierMessage;
}

/** A dialect to which a transcript has been told up to the start of its call. */
function started(carrier: Carrier, transcript: Transcript): Started | undefined {
  const dialect = openDialect(carrier, transcript);
  for (const message of carrierMessages(transcript)) {
    const events = received(dialect, message);
    const event = events.find(({ type }) => type === 'start');
    if (event?.type === 'start') return { dialect, start: event.start, message };
  }
  return undefined;
}

function begun(carrier: Carrier, transcript: Transcript): Started {
  const state = started(carrier, transcript);
  if (!state) throw new Error(`${transcript.name} has no start.`);
  return state;
}

/** Events, or none for a message that was refused as it should be. */
function received(dialect: CarrierDialect, message: CarrierMessage): readonly CarrierEvent[] {
  try {
    return dialect.receive(message);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(SpeechError);
    expect((thrown as SpeechError).code).toMatch(/^(invalid_input_message|message_too_big)$/);
    return [];
  }
}

function hostileInput(carrier: Carrier, transcript: Transcript): void {
  const messages = carrierMessages(transcript);
  const fresh = () => openDialect(carrier, transcript);
  const both = () => [fresh(), begun(carrier, transcript).dialect];

  it('survives garbage, before the start and after', () => {
    for (const dialect of both()) {
      for (const text of GARBAGE) {
        received(dialect, text);
        received(dialect, Buffer.from(text));
      }
      received(dialect, new Uint8Array(0));
      received(
        dialect,
        Uint8Array.from({ length: 1000 }, (_, index) => index),
      );
      received(dialect, 'x'.repeat(1_000_000));
      received(
        dialect,
        JSON.stringify({ event: 'media', media: { payload: 'A'.repeat(400_000) } }),
      );
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    }
  });

  it('survives messages that are cut short', () => {
    for (const dialect of both()) {
      for (const message of messages) {
        for (let length = 0; length < message.length; length += 1 + (length >> 3)) {
          received(dialect, message.slice(0, length));
        }
      }
    }
  });

  it('survives messages with other values in them', () => {
    const texts = messages.filter((message) => typeof message === 'string');
    const objects = texts.filter((text) => text.trimStart().startsWith('{'));
    if (objects.length === 0) return;
    fc.assert(
      fc.property(
        fc.constantFrom(...objects),
        fc.nat(),
        fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 1e300, -1, '', '!', 'é'.repeat(50))),
        (text, place, value) => {
          for (const dialect of both()) {
            received(dialect, JSON.stringify(withOtherLeaf(JSON.parse(text), place, value)));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keeps parameters that look like parts of an object to themselves', () => {
    const { message } = begun(carrier, transcript);
    if (typeof message !== 'string' || !/arameters":\{/.test(message)) return;
    const poisoned = message.replace(
      /(arameters":\{)(\}?)/,
      (_all, head: string, end: string) =>
        `${head}"__proto__":"x","constructor":"y"${end === '' ? ',' : '}'}`,
    );
    const [event] = received(fresh(), poisoned).filter(({ type }) => type === 'start');
    if (event?.type !== 'start') return;
    expect(Object.getPrototypeOf(event.start.parameters)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['constructor']).toBe(Object);
  });

  it('hears nobody before the start', () => {
    for (const message of messages) {
      const events = received(fresh(), message);
      const isStart = events.some(({ type }) => type === 'start');
      if (!isStart) expect(events.filter(({ type }) => type === 'caller-audio')).toEqual([]);
    }
  });

  it('starts once', () => {
    const { dialect, message } = begun(carrier, transcript);
    expect(received(dialect, message).filter(({ type }) => type === 'start')).toEqual([]);
  });

  it('takes no audio that is not whole', () => {
    const { dialect, start } = begun(carrier, transcript);
    for (const message of messages) {
      if (
        typeof message !== 'string' ||
        !/"(payload|audioData)":"[A-Za-z0-9+/=]{40,}"/.test(message)
      ) {
        continue;
      }
      const withPayload = (payload: string) =>
        message.replace(/("(?:payload|audioData)":)"[^"]*"/, `$1"${payload}"`);
      for (const payload of ['!!!!', 'AAA', 'A', '=AAA', 'AA==AA==', '\\u00e9AAA']) {
        expect(received(dialect, withPayload(payload)), payload).toEqual([]);
      }
      if (start.callerFormat.codec === 'pcm') {
        expect(received(dialect, withPayload('AAAA'))).toEqual([]);
      }
    }
  });

  it('has no use for binary messages where the carrier sends text only', () => {
    if (messages.some((message) => typeof message !== 'string')) return;
    const { dialect } = begun(carrier, transcript);
    for (const message of messages) {
      expect(thrownBy(() => dialect.receive(Buffer.from(message as string)))).toBeInstanceOf(
        SpeechError,
      );
    }
  });
}

function outgoing(carrier: Carrier, transcript: Transcript): void {
  const { unitsPerMessage, maxUnitsPerMessage, answersMarks, clears } =
    carrier.variant?.(requestOf(transcript)) ?? carrier;

  it('sends exactly the audio that it is given, in messages that are not too long', () => {
    const counts = fc.integer({ min: 1, max: 3 * maxUnitsPerMessage });
    fc.assert(
      fc.property(counts, fc.integer(), (count, seed) => {
        const { dialect, start } = begun(carrier, transcript);
        const unit = unitBytes(start.spokenFormat);
        const multiple = Math.max(1, Math.floor(count / unitsPerMessage)) * unitsPerMessage;
        const audio = Uint8Array.from({ length: multiple * unit }, (_, index) => index * seed);
        const pieces = dialect.play(audio).map(playedAudio);
        const heard = Buffer.concat(pieces);
        expect(heard.equals(audio)).toBe(true);
        if (multiple <= maxUnitsPerMessage) {
          for (const piece of pieces) expect(piece.length % (unitsPerMessage * unit)).toBe(0);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('leaves the audio that it is given as it was', () => {
    const { dialect, start } = begun(carrier, transcript);
    const audio = new Uint8Array(unitsPerMessage * unitBytes(start.spokenFormat)).fill(7);
    dialect.play(audio);
    expect(audio.every((byte) => byte === 7)).toBe(true);
  });

  it('clears and marks exactly if it says that it does', () => {
    const { dialect, start } = begun(carrier, transcript);
    dialect.play(new Uint8Array(unitsPerMessage * unitBytes(start.spokenFormat)));
    expect(dialect.mark('a mark').length > 0).toBe(answersMarks);
    if (clears) expect(dialect.clear()).not.toEqual([]);
  });

  it('sends nothing that is too long for a carrier', () => {
    const { dialect, start } = begun(carrier, transcript);
    const units = maxUnitsPerMessage * unitBytes(start.spokenFormat);
    for (const message of dialect.play(new Uint8Array(units))) {
      expect(message.length).toBeLessThanOrEqual(100_000);
    }
  });
}

/** Changes one leaf of a value, chosen by a number. */
function withOtherLeaf(value: unknown, place: number, leaf: unknown): unknown {
  if (typeof value !== 'object' || value === null) return leaf;
  const names = Object.keys(value);
  if (names.length === 0) return leaf;
  const chosen = names[place % names.length] ?? '';
  const inner = (value as Record<string, unknown>)[chosen];
  return { ...value, [chosen]: withOtherLeaf(inner, Math.floor(place / names.length), leaf) };
}

const AUDIOSOCKET_HEADER_BYTES = 3;

/** The audio in a message to a carrier, as the phone at its other end plays it. */
function playedAudio(message: CarrierMessage): Buffer {
  if (typeof message === 'string') return Buffer.from(payloadIn(message) ?? '', 'base64');
  const bytes = Buffer.from(message);
  const isPacket =
    bytes.length > AUDIOSOCKET_HEADER_BYTES &&
    (bytes[0] ?? 0) >= 0x10 &&
    (bytes[0] ?? 0) <= 0x16 &&
    bytes.readUInt16BE(1) === bytes.length - AUDIOSOCKET_HEADER_BYTES;
  return isPacket ? bytes.subarray(AUDIOSOCKET_HEADER_BYTES) : bytes;
}

function payloadIn(text: string): string | undefined {
  return /"(?:payload|audioData|audioContent)":"([^"]*)"/.exec(text)?.[1];
}
