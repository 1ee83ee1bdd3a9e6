import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { SynthesisRequest } from '../../../../src/synthesis/engine/engine.ts';
import { CallRig, testStart } from '../../../support/call-rig.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';

/** How long the tone engine speaks one letter. */
const LETTER_MS = (1024 * 1000) / 22_050;

function lettersMs(text: string): number {
  return text.length * LETTER_MS;
}

class WatchedEngine extends ToneEngine {
  readonly requests: SynthesisRequest[] = [];

  override synthesise(request: SynthesisRequest, signal: AbortSignal) {
    this.requests.push(request);
    return super.synthesise(request, signal);
  }
}

describe('speech on a call', () => {
  it('asks for what is heard later with a later deadline, and is never refused', async () => {
    const engine = new WatchedEngine();
    engine.hold();
    const rig = new CallRig({ engine });
    const call = await rig.call();
    const words = 'Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa. ';
    for (const contextId of ['first', 'second', 'third']) {
      call.say(words, contextId);
      call.command({ type: 'context-close', contextId });
    }
    await rig.clock.advance(20);
    const [first = 0, second = 0, third = 0] = engine.requests.map(({ deadline }) => deadline());
    const leastMs = 40 * (words.length - 1);
    expect(first).toBeLessThanOrEqual(rig.clock.now() + 120);
    expect(second).toBeGreaterThanOrEqual(rig.clock.now() + leastMs);
    expect(third).toBeGreaterThanOrEqual(rig.clock.now() + 2 * leastMs);
    expect(engine.requests.map(({ place }) => place)).toEqual([undefined, undefined, undefined]);
    engine.release();
    await rig.clock.advance(10_000);
    expect(call.told('context-end')).toHaveLength(3);
  });

  it('is refused before it begins, when there is no room for a call', async () => {
    const rig = new CallRig({
      assertRoom: () => {
        throw new SpeechError('system_busy', 'Full.');
      },
    });
    await rig.call().catch(() => undefined);
    expect(rig.refused).toEqual(['system_busy']);
  });

  it('plays contexts one after the other, in the order in which they began', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say('Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa. ', 'first');
    call.say('Bbb. ', 'second');
    call.command({ type: 'context-close', contextId: 'first' });
    call.command({ type: 'context-close', contextId: 'second' });
    await rig.clock.advance(6000);
    expect(call.told('context-end').map(({ contextId }) => contextId)).toEqual(['first', 'second']);
    const sound = call.connection.heard.slice(800);
    const changeAt = Math.round(lettersMs('Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.') * 8);
    expect(crossings(sound.slice(8000, 12_000))).toBeCloseTo(
      crossings(sound.slice(2000, 6000)),
      -1,
    );
    expect(sound.length).toBeGreaterThan(changeAt);
  });

  it('puts marks where they were written, though text waits for its end', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    const order: string[] = [];
    call.onEvent = (event) => {
      if (event.type === 'mark-heard')
        order.push(`${event.name} at ${Math.round(rig.clock.now())}`);
    };
    call.say('One two', 'turn');
    call.mark('early');
    call.say(' three four. ', 'turn');
    call.mark('late');
    await rig.clock.advance(5000);
    const times = order.map((line) => Number(line.split(' ').at(-1)));
    expect(order.map((line) => line.split(' ')[0])).toEqual(['early', 'late']);
    expect(times[0]).toBeGreaterThanOrEqual(100 + lettersMs('One two'));
    expect(times[0]).toBeLessThan(100 + lettersMs('One two') + 60);
    expect(times[1]).toBeGreaterThanOrEqual(100 + lettersMs('One two three four.'));
  });

  it('is silent for as long as a break asks, and reads no tag aloud', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    let heardAtMs = 0;
    call.onEvent = (event) => {
      if (event.type === 'mark-heard') heardAtMs = rig.clock.now();
    };
    call.say('<b>One.</b><break time="1s"/> Two. ', 'turn');
    call.mark('end');
    await rig.clock.advance(5000);
    const soundMs = lettersMs('One. Two.') + 1000;
    expect(heardAtMs).toBeGreaterThanOrEqual(100 + soundMs - 20);
    expect(heardAtMs).toBeLessThan(100 + soundMs + 100);
  });

  it('plays the bot’s own audio in its turn, and mends what was cut inside a sample', async () => {
    const rig = new CallRig();
    const call = await rig.call({ start: testStart('pcm_16000') });
    call.say('Hi. ');
    const recording = Uint8Array.from({ length: 6400 }, (_, index) => (index % 2 === 0 ? 1 : 2));
    call.command({ type: 'audio', audio: recording.subarray(0, 3201) });
    call.command({ type: 'audio', audio: recording.subarray(3201) });
    call.say('Ho. ');
    await rig.clock.advance(3000);
    const { heard, messageBytes } = call.connection;
    expect(messageBytes.every((bytes) => bytes % 640 === 0)).toBe(true);
    const at = indexOfRun(heard, [1, 2, 1, 2, 1, 2, 1, 2]);
    expect(at % 2).toBe(0);
    expect(heard.slice(at, at + 6400)).toEqual([...recording]);
    const before = at / 32 - 100;
    expect(before).toBeGreaterThan(lettersMs('Hi.') - 6);
    expect(before).toBeLessThan(lettersMs('Hi.') + 20);
    expect(heard.length).toBeGreaterThan(at + 6400 + lettersMs('Ho.') * 30);
  });

  it('survives what fails, tells it, and speaks on', async () => {
    const rig = new CallRig({ engine: new ToneEngine({ failOn: 'x' }) });
    const call = await rig.call();
    call.say('Good. ', 'first');
    await rig.clock.advance(1000);
    call.say('Bax. ', 'second');
    await rig.clock.advance(1000);
    expect(call.told('refusal')).toMatchObject([
      { contextId: 'second', error: { code: 'internal_error' } },
    ]);
    call.say('late words of the same turn. ', 'second');
    call.say('Well. ', 'third');
    call.command({ type: 'context-close', contextId: 'third' });
    await rig.clock.advance(2000);
    expect(call.told('refusal')).toHaveLength(1);
    expect(rig.engine.spoken.join('')).toContain('Well.');
    expect(rig.engine.spoken.join('')).not.toContain('late');
    expect(call.told('context-end')).toMatchObject([{ contextId: 'third' }]);
    expect(call.connection.isClosed).toBe(false);
  });

  it('speaks on in the other contexts when one fails', async () => {
    const rig = new CallRig({ engine: new ToneEngine({ failOn: 'x' }) });
    const call = await rig.call();
    call.say('Good words of the first turn. ', 'first');
    call.say('Bax. ', 'second');
    call.say('Well said. ', 'third');
    await rig.clock.advance(100);
    expect(call.told('refusal')).toMatchObject([
      { contextId: 'second', error: { code: 'internal_error' } },
    ]);
    for (const contextId of ['first', 'third']) {
      call.say('And more. ', contextId);
      call.command({ type: 'context-close', contextId });
    }
    await rig.clock.advance(20_000);
    expect(call.told('refusal')).toHaveLength(1);
    expect(call.told('context-end')).toMatchObject([
      { contextId: 'first' },
      { contextId: 'third' },
    ]);
  });

  it('refuses a sixth open context alone', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const contextId of names) call.say('Long enough to be heard for a while. ', contextId);
    await rig.clock.advance(100);
    expect(call.told('refusal')).toMatchObject([
      { contextId: 'f', error: { code: 'max_active_conversations' } },
    ]);
    for (const contextId of names.slice(0, 5)) call.command({ type: 'context-close', contextId });
    await rig.clock.advance(60_000);
    expect(call.told('context-end').map(({ contextId }) => contextId)).toEqual(names.slice(0, 5));
  });

  it('refuses what may not be paid for, and counts what was', async () => {
    let isPaid = true;
    const rig = new CallRig({
      openMeter: () => ({
        enter: async () => {
          if (!isPaid) throw new SpeechError('quota_exceeded', 'No characters are left.');
          return { hear: () => undefined, end: async () => undefined };
        },
      }),
    });
    const call = await rig.call();
    call.say('Hello. ');
    await rig.clock.advance(1000);
    isPaid = false;
    call.say('Again. ');
    await rig.clock.advance(1000);
    expect(call.told('refusal')).toMatchObject([{ error: { code: 'quota_exceeded' } }]);
    call.connection.say({ type: 'stop' });
    await rig.clock.settle();
    expect(rig.ended).toMatchObject([{ reason: 'hangup', characters: 'Hello.'.length }]);
  });

  it('holds synthesis back when more than twenty seconds wait', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    const sentence = `${'a'.repeat(99)}. `;
    for (let count = 0; count < 20; count++) call.say(sentence);
    await rig.clock.advance(10);
    const madeMs = rig.engine.spoken.length * LETTER_MS;
    expect(madeMs).toBeGreaterThan(20_000);
    expect(madeMs).toBeLessThan(26_000);
    await rig.clock.advance(60_000);
    expect(rig.engine.spoken.length * LETTER_MS).toBeGreaterThan(70_000);
    await rig.clock.advance(60_000);
    expect(call.connection.stretches).toHaveLength(1);
  });

  it('keeps settings for a context that has no text yet', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.command({
      type: 'configure',
      contextId: 'turn',
      settings: { voiceSettings: { speed: 1.1 } },
    });
    call.say('Hello. ');
    await rig.clock.advance(100);
    call.command({
      type: 'configure',
      contextId: 'turn',
      settings: { voiceSettings: { speed: 0.9 } },
    });
    await rig.clock.advance(100);
    expect(call.told('refusal')).toMatchObject([
      { contextId: 'turn', error: { code: 'invalid_input_message' } },
    ]);
  });

  it('answers the end of a context in which nothing was said', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(' ');
    call.command({ type: 'context-close', contextId: 'turn' });
    await rig.clock.settle();
    expect(call.told('context-end')).toMatchObject([{ contextId: 'turn' }]);
  });
});

function crossings(ulaw: readonly number[]): number {
  let count = 0;
  for (let index = 1; index < ulaw.length; index++) {
    if (((ulaw[index] ?? 0) ^ (ulaw[index - 1] ?? 0)) & 0x80) count++;
  }
  return count;
}

function indexOfRun(bytes: readonly number[], run: readonly number[]): number {
  return bytes.findIndex((_, at) => run.every((byte, offset) => bytes[at + offset] === byte));
}
