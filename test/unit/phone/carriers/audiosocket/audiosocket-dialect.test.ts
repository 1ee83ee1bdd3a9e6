import { describe, expect, it } from 'vitest';
import type { StreamRequest } from '../../../../../src/phone/calls/carrier.ts';
import { audiosocket } from '../../../../../src/phone/carriers/audiosocket/audiosocket.ts';
import { audioSocketPacket } from '../../../../../src/phone/carriers/audiosocket/audiosocket-packets.ts';

const UUID = '40325ec2-f4bd-4f9f-b3e7-b7f9e1d2c3a4';
const ID = audioSocketPacket(0x01, Buffer.from(UUID.replaceAll('-', ''), 'hex'));

const open = (query: StreamRequest['query'] = {}) => audiosocket.open({ headers: {}, query });
const refused = expect.objectContaining({ code: 'invalid_input_message' });

function named(query: StreamRequest['query'] = {}) {
  const dialect = open(query);
  dialect.receive(ID);
  return dialect;
}

describe('AudioSocket', () => {
  it.each([
    [0x10, 8000],
    [0x12, 16000],
    [0x13, 24000],
    [0x14, 32000],
    [0x15, 44100],
    [0x16, 48000],
  ])('starts with the first packet of type %d, at %d Hz, and answers in kind', (type, rate) => {
    const dialect = named({ from: '+493012345', call_id: '1763.42' });
    const frame = new Uint8Array((rate * 2) / 50).fill(1);
    expect(dialect.receive(audioSocketPacket(type, frame))).toEqual([
      {
        type: 'start',
        start: {
          streamId: UUID,
          carrierCallId: '1763.42',
          from: '+493012345',
          to: undefined,
          parameters: { call_id: '1763.42' },
          callerFormat: expect.objectContaining({ name: `pcm_${rate}` }),
          spokenFormat: expect.objectContaining({ name: `pcm_${rate}` }),
        },
      },
      { type: 'caller-audio', audio: Buffer.from(frame) },
    ]);
    const packets = dialect.play(new Uint8Array(2 * frame.length).fill(2));
    const packet = audioSocketPacket(type, new Uint8Array(frame.length).fill(2));
    expect(packets).toEqual([packet, packet]);
  });

  it('starts with the id, when the rate was announced: the caller may be silent', () => {
    expect(open({ rate: '16000' }).receive(ID)).toMatchObject([
      { type: 'start', start: { carrierCallId: UUID, spokenFormat: { name: 'pcm_16000' } } },
    ]);
    expect(open({ rate: '12000' }).receive(ID)).toEqual([]);
  });

  it('hears keys and the end', () => {
    const dialect = named();
    const key = (text: string) => audioSocketPacket(0x03, Buffer.from(text));
    expect(dialect.receive(key('7'))).toEqual([{ type: 'dtmf', digit: '7' }]);
    expect(() => dialect.receive(key('77'))).toThrow(refused);
    expect(() => dialect.receive(key('x'))).toThrow(refused);
    expect(dialect.receive(audioSocketPacket(0x00, new Uint8Array(0)))).toEqual([{ type: 'stop' }]);
    expect(dialect.receive(audioSocketPacket(0xff, Uint8Array.of(1)))).toEqual([{ type: 'stop' }]);
    expect(dialect.receive(audioSocketPacket(0x42, Uint8Array.of(1)))).toEqual([]);
  });

  it('has nothing to clear and nothing to mark, and hangs up in three bytes', () => {
    const dialect = named({ rate: '8000' });
    expect([...dialect.clear(), ...dialect.mark('one'), ...dialect.done()]).toEqual([]);
    expect(dialect.hangUp()).toEqual([Buffer.of(0, 0, 0)]);
    expect(audiosocket).toMatchObject({ leadMs: 40, clears: false, maxUnitsPerMessage: 1 });
  });

  it.each([
    ['audio before the id', open(), audioSocketPacket(0x10, new Uint8Array(320))],
    ['a key before the id', open(), audioSocketPacket(0x03, Buffer.from('1'))],
    ['an id that is none', open(), audioSocketPacket(0x01, new Uint8Array(15))],
    ['a second id', named(), ID],
    ['audio at a rate that is not spoken', named(), audioSocketPacket(0x11, new Uint8Array(480))],
    ['half a sample', named(), audioSocketPacket(0x10, new Uint8Array(321))],
    [
      'another rate than was announced',
      named({ rate: '8000' }),
      audioSocketPacket(0x12, new Uint8Array(640)),
    ],
    ['text', named(), 'hello'],
    ['less than a header', named(), Uint8Array.of(0x10, 0)],
  ])('refuses %s', (_, dialect, message) => {
    expect(() => dialect.receive(message)).toThrow(refused);
  });
});
