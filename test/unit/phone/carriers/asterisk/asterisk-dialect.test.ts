import { describe, expect, it } from 'vitest';
import type { CarrierMessage } from '../../../../../src/domain/carrier.ts';
import type { CarrierDialect } from '../../../../../src/phone/calls/carrier.ts';
import { asterisk } from '../../../../../src/phone/carriers/asterisk/asterisk.ts';

const REQUEST = { headers: {}, query: { call_id: '1763.42', from: '+493012345', token: 'secret' } };
const PLAIN =
  'MEDIA_START connection_id:sidetone channel:WebSocket/sidetone/0x7f26 channel_id:pbx1-1763.43 format:ulaw optimal_frame_size:160 ptime:20';
/** Of releases before 22.8, which know neither marks nor JSON. */
const OLD =
  'MEDIA_START connection_id:sidetone channel:WebSocket/sidetone/0x7f26 format:ulaw optimal_frame_size:160';
const JSON_START = {
  event: 'MEDIA_START',
  connection_id: 'sidetone',
  channel: 'WebSocket/sidetone/0x7f26',
  channel_id: 'pbx1-1763.43',
  format: 'slin16',
  optimal_frame_size: 640,
  ptime: 20,
  channel_variables: { TIER: 'gold', MEDIA_WEBSOCKET_CONNECTION_ID: 'sidetone' },
};

function opened(start: string = PLAIN) {
  const dialect = asterisk.open(REQUEST);
  const [event] = dialect.receive(start);
  return { dialect, event };
}

const words = (messages: readonly CarrierMessage[]) =>
  messages.map((message) => (typeof message === 'string' ? message : message.length));
const say = (dialect: CarrierDialect, event: object) => dialect.receive(JSON.stringify(event));
const refused = expect.objectContaining({ code: 'invalid_input_message' });

describe('chan_websocket', () => {
  it('starts in words', () => {
    expect(opened().event).toMatchObject({
      type: 'start',
      start: {
        streamId: 'pbx1-1763.43',
        carrierCallId: '1763.42',
        from: '+493012345',
        to: undefined,
        parameters: { call_id: '1763.42' },
        callerFormat: { name: 'ulaw_8000' },
        spokenFormat: { name: 'ulaw_8000' },
      },
    });
  });

  it('starts in JSON, with the variables of the channel', () => {
    const { event } = opened(JSON.stringify(JSON_START, undefined, 2));
    expect(event).toMatchObject({
      start: {
        streamId: 'pbx1-1763.43',
        parameters: { TIER: 'gold', call_id: '1763.42' },
        callerFormat: { name: 'pcm_16000' },
      },
    });
    expect(JSON.stringify(event)).not.toMatch(/MEDIA_WEBSOCKET|secret/);
  });

  it('names the call after its channel, when the dialplan passes no id', () => {
    const [event] = asterisk.open({ headers: {}, query: {} }).receive(OLD);
    expect(event).toMatchObject({
      start: {
        streamId: 'WebSocket/sidetone/0x7f26',
        carrierCallId: 'WebSocket/sidetone/0x7f26',
      },
    });
  });

  it.each([
    ['ulaw', 'ulaw_8000'],
    ['alaw', 'alaw_8000'],
    ['slin', 'pcm_8000'],
    ['slin16', 'pcm_16000'],
    ['slin24', 'pcm_24000'],
    ['slin32', 'pcm_32000'],
    ['slin44', 'pcm_44100'],
    ['slin48', 'pcm_48000'],
  ])('speaks %s, in messages below 65 500 bytes', (format, name) => {
    const { event } = opened(PLAIN.replace('format:ulaw', `format:${format}`));
    expect(event).toMatchObject({ start: { spokenFormat: { name }, callerFormat: { name } } });
    const bytesPerSecond =
      (event?.type === 'start' && event.start.spokenFormat.bitsPerSecond / 8) || 0;
    expect((asterisk.maxUnitsPerMessage * 20 * bytesPerSecond) / 1000).toBeLessThan(65_500);
  });

  it('buffers while it speaks, and fills up at the end', () => {
    const { dialect } = opened();
    const unit = new Uint8Array(160);
    expect(words(dialect.play(unit))).toEqual(['START_MEDIA_BUFFERING', 160]);
    expect(words(dialect.play(unit))).toEqual([160]);
    expect(dialect.done()).toEqual(['STOP_MEDIA_BUFFERING']);
    expect(dialect.done()).toEqual([]);
    expect(words(dialect.play(unit))).toEqual(['START_MEDIA_BUFFERING', 160]);
    expect(dialect.receive('MEDIA_BUFFERING_COMPLETED')).toEqual([]);
  });

  it('starts buffering anew after a flush, which ends it', () => {
    const { dialect } = opened();
    const unit = new Uint8Array(160);
    dialect.play(unit);
    expect(dialect.clear()).toEqual(['REPORT_QUEUE_DRAINED', 'FLUSH_MEDIA']);
    expect(dialect.done()).toEqual([]);
    expect(words(dialect.play(unit))).toEqual(['START_MEDIA_BUFFERING', 160]);
  });

  it('marks under short names, whatever theirs are', () => {
    const { dialect } = opened();
    const long = 'the end of the seventh sentence '.repeat(8);
    const [command] = dialect.mark(long);
    expect(command).toBe('MARK_MEDIA m1');
    expect(dialect.mark('two')).toEqual(['MARK_MEDIA m2']);
    expect(dialect.receive('MEDIA_MARK_PROCESSED m1')).toEqual([{ type: 'mark', name: long }]);
    expect(dialect.receive('MEDIA_MARK_PROCESSED m1')).toEqual([]);
    expect(dialect.receive('MEDIA_MARK_PROCESSED')).toEqual([]);
  });

  it('forgets marks that a flush dropped', () => {
    const { dialect } = opened();
    dialect.mark('one');
    dialect.clear();
    expect(dialect.receive('MEDIA_MARK_PROCESSED m1')).toEqual([]);
    expect(dialect.mark('two')).toEqual(['MARK_MEDIA m2']);
  });

  it('takes the end of buffering for a mark where there are no marks', () => {
    const { dialect } = opened(OLD);
    const unit = new Uint8Array(160);
    dialect.play(unit);
    expect(dialect.mark('one')).toEqual(['STOP_MEDIA_BUFFERING m1']);
    expect(words(dialect.play(unit))).toEqual(['START_MEDIA_BUFFERING', 160]);
    expect(dialect.receive('MEDIA_BUFFERING_COMPLETED m1')).toEqual([
      { type: 'mark', name: 'one' },
    ]);
  });

  it('says that a clear is done, unless speech has followed it', () => {
    const { dialect } = opened();
    expect(dialect.receive('QUEUE_DRAINED')).toEqual([]);
    dialect.clear();
    expect(dialect.receive('QUEUE_DRAINED')).toEqual([{ type: 'cleared' }]);
    expect(dialect.receive('QUEUE_DRAINED')).toEqual([]);
    dialect.clear();
    dialect.play(new Uint8Array(160));
    expect(dialect.receive('QUEUE_DRAINED')).toEqual([]);
  });

  it('speaks JSON to who speaks JSON, in at most 128 bytes', () => {
    const { dialect } = opened(JSON.stringify(JSON_START));
    const commands = [
      ...dialect.play(new Uint8Array(640)),
      ...dialect.mark('x'.repeat(500)),
      ...dialect.done(),
      ...dialect.clear(),
      ...dialect.hangUp(),
    ].filter((message) => typeof message === 'string');
    expect(commands.map((command) => JSON.parse(command))).toEqual([
      { command: 'START_MEDIA_BUFFERING' },
      { command: 'MARK_MEDIA', correlation_id: 'm1' },
      { command: 'STOP_MEDIA_BUFFERING' },
      { command: 'REPORT_QUEUE_DRAINED' },
      { command: 'FLUSH_MEDIA' },
      { command: 'HANGUP' },
    ]);
    expect(Math.max(...commands.map(({ length }) => length))).toBeLessThanOrEqual(128);
    expect(say(dialect, { event: 'DTMF_END', channel_id: 'x', digit: '#' })).toEqual([
      { type: 'dtmf', digit: '#' },
    ]);
    dialect.mark('next');
    expect(say(dialect, { event: 'MEDIA_MARK_PROCESSED', correlation_id: 'm2' })).toEqual([
      { type: 'mark', name: 'next' },
    ]);
    expect(say(dialect, { event: 'MEDIA_XOFF', channel_id: 'x' })).toEqual([
      { type: 'flow', isOpen: false },
    ]);
  });

  it('hears keys, audio and when to wait', () => {
    const { dialect } = opened();
    expect(dialect.receive('DTMF_END digit:5 channel_id:pbx1-1763.43')).toEqual([
      { type: 'dtmf', digit: '5' },
    ]);
    expect(dialect.receive('MEDIA_XOFF')).toEqual([{ type: 'flow', isOpen: false }]);
    expect(dialect.receive('MEDIA_XON')).toEqual([{ type: 'flow', isOpen: true }]);
    expect(dialect.receive('STATUS channel_id:x queue_length:3')).toEqual([]);
    expect(dialect.receive('SOMETHING_NEW a:b')).toEqual([]);
    const audio = new Uint8Array(160);
    expect(dialect.receive(audio)).toEqual([{ type: 'caller-audio', audio }]);
  });

  it.each([
    ['an unknown format', PLAIN.replace('format:ulaw', 'format:opus')],
    ['a format that is a part of objects', PLAIN.replace('format:ulaw', 'format:__proto__')],
    ['no format', PLAIN.replace('format:ulaw ', '')],
    ['no channel', 'MEDIA_START format:ulaw optimal_frame_size:160'],
    ['a size that is none', PLAIN.replace('size:160', 'size:big')],
    ['broken JSON', '{"event":"MEDIA_START"'],
    ['JSON without an event', '{"command":"HANGUP"}'],
    ['audio', new Uint8Array(160)],
    ['a key that no phone has', 'DTMF_END digit:55'],
    ['a key without a name', 'DTMF_END'],
    ['an error', 'ERROR channel_id:x error_text:MARK_MEDIA not supported in passthrough mode'],
  ])('refuses %s at first', (_, message) => {
    expect(() => asterisk.open(REQUEST).receive(message)).toThrow(refused);
  });

  it('refuses to start twice, and half a sample', () => {
    const { dialect } = opened(JSON.stringify(JSON_START));
    expect(() => dialect.receive(JSON.stringify(JSON_START))).toThrow(refused);
    expect(() => dialect.receive(new Uint8Array(639))).toThrow(refused);
  });
});
