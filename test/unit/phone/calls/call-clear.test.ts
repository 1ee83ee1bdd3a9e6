import { describe, expect, it } from 'vitest';
import { UNNAMED_CONTEXT_ID } from '../../../../src/phone/calls/unnamed-context.ts';
import { CallRig, type TestCall } from '../../../support/call-rig.ts';

const LETTER_MS = (1024 * 1000) / 22_050;
const TEXT = 'one two three four five six seven eight. ';

/** What has been heard after the priming silence, in whole words. */
function wordsWithin(text: string, soundMs: number): string {
  const letters = Math.floor(soundMs / LETTER_MS);
  if (letters >= text.trimEnd().length) return text;
  const head = text.slice(0, letters);
  const isWhole = /\s/.test(text.charAt(letters));
  return isWhole ? head : head.slice(0, head.lastIndexOf(' ') + 1).trimEnd();
}

function cutOf(call: TestCall) {
  return call.told('interruption').at(-1)?.cut;
}

describe('a clear', () => {
  it.each([
    ['a carrier that answers marks', {}],
    ['one that does not', { answersMarks: false }],
  ])('goes out in the same turn, and tells %s to the word', async (_, carrier) => {
    const rig = new CallRig();
    const call = await rig.call({ carrier });
    call.say(TEXT);
    await rig.clock.advance(1000);
    const sentBefore = call.connection.sent.length;
    call.command({ type: 'clear' });
    expect(call.connection.sent.slice(sentBefore)).toEqual(['clear']);
    await rig.clock.advance(3000);
    const heardMs = call.connection.heard.length / 8 - 100;
    expect(heardMs).toBeCloseTo(900, 0);
    const heard = wordsWithin(TEXT, heardMs);
    expect(heard).toBe('one two three four');
    expect(cutOf(call)).toEqual([
      { contextId: 'turn', heard, unheard: TEXT.slice(heard.length), heardMs: 900 },
    ]);
    expect(call.connection.sent.slice(sentBefore)).toEqual(['clear']);
  });

  it('counts no echo that it causes, and forgets its marks', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say('one two. ');
    call.mark('first');
    call.say('three four. ');
    call.mark('second');
    await rig.clock.advance(600);
    expect(call.marks).toEqual(['first']);
    call.command({ type: 'clear' });
    await rig.clock.advance(3000);
    expect(call.marks).toEqual(['first']);
    expect(cutOf(call)).toMatchObject([{ heard: 'one two.', unheard: ' three four. ' }]);
  });

  it('has the next words heard at once, without silence before them', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(TEXT);
    await rig.clock.advance(500);
    call.command({ type: 'clear' });
    call.say('next. ', 'next');
    await rig.clock.settle();
    expect(call.connection.sent.slice(-3)).toContain('audio');
    await rig.clock.advance(1000);
    const [first, ...rest] = call.connection.stretches;
    expect(first).toMatchObject({ startMs: 0 });
    expect(rest).toEqual([]);
    expect(call.connection.heard.length / 8).toBeCloseTo(500 + 5 * LETTER_MS, -2);
  });

  it('drops late text of what it cut, and says so once', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(TEXT);
    await rig.clock.advance(500);
    call.command({ type: 'clear' });
    call.say('late ');
    call.say('later ');
    call.command({ type: 'context-close', contextId: 'turn' });
    await rig.clock.advance(1000);
    expect(call.told('refusal')).toMatchObject([
      { contextId: 'turn', error: { code: 'invalid_input_message' } },
    ]);
    expect(rig.engine.spoken.join('')).not.toContain('late');
    expect(call.told('context-end')).toEqual([]);
  });

  it('lets a bot that names no contexts speak again, and tells its turns apart', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say('one two. ', UNNAMED_CONTEXT_ID);
    call.command({ type: 'flush', contextId: UNNAMED_CONTEXT_ID });
    await rig.clock.advance(2000);
    call.say('three four five six. ', UNNAMED_CONTEXT_ID);
    await rig.clock.advance(500);
    call.command({ type: 'clear' });
    call.say('seven. ', UNNAMED_CONTEXT_ID);
    await rig.clock.advance(2000);
    expect(cutOf(call)).toMatchObject([
      { contextId: UNNAMED_CONTEXT_ID, heard: 'three four', unheard: ' five six. ', heardMs: 500 },
    ]);
    expect(rig.engine.spoken.join('')).toContain('seven.');
    call.command({ type: 'clear' });
    await rig.clock.settle();
    expect(cutOf(call)).toEqual([]);
  });

  it('tells what was written and never made, in the order in which it was to be heard', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say('one two. ', 'first');
    call.say('three', 'second');
    call.say(' and', 'first');
    await rig.clock.advance(300);
    call.command({ type: 'clear' });
    await rig.clock.settle();
    expect(cutOf(call)).toEqual([
      { contextId: 'first', heard: 'one', unheard: ' two.  and', heardMs: 200 },
      { contextId: 'second', heard: '', unheard: 'three', heardMs: 0 },
    ]);
  });

  it('leaves alone what has been heard', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say('one. ', 'quiet');
    await rig.clock.advance(1000);
    call.say(TEXT, 'loud');
    await rig.clock.advance(100);
    call.command({ type: 'clear' });
    call.say('two. ', 'quiet');
    await rig.clock.advance(1000);
    expect(cutOf(call)).toMatchObject([{ contextId: 'loud' }]);
    expect(rig.engine.spoken.join('')).toContain('two.');
    expect(call.told('refusal')).toEqual([]);
  });

  it('only stops sending where a carrier cannot clear, and counts what it will play', async () => {
    const rig = new CallRig();
    const call = await rig.call({ carrier: { clears: false, answersMarks: false, leadMs: 40 } });
    call.say(TEXT);
    await rig.clock.advance(1000);
    call.command({ type: 'clear' });
    await rig.clock.advance(1000);
    const heardMs = call.connection.heard.length / 8 - 100;
    expect(heardMs).toBeGreaterThan(900);
    expect(heardMs).toBeLessThanOrEqual(940);
    expect(cutOf(call)?.[0]?.heardMs).toBe(heardMs);
    expect(call.connection.sent).not.toContain('clear');
  });

  it('comes by itself with a key, where the line wants it, before the key is told', async () => {
    const rig = new CallRig();
    const call = await rig.call({ line: { bargeIn: { onSpeech: false, onDtmf: true } } });
    call.connection.say({ type: 'dtmf', digit: '1' });
    await rig.clock.settle();
    call.say(TEXT);
    await rig.clock.advance(600);
    call.connection.say({ type: 'dtmf', digit: '2' });
    expect(call.connection.sent.at(-1)).toBe('clear');
    await rig.clock.settle();
    expect(call.events.slice(-3)).toMatchObject([
      { type: 'dtmf', digit: '1' },
      { type: 'interruption', cause: 'dtmf', cut: [{ heard: 'one two' }] },
      { type: 'dtmf', digit: '2' },
    ]);
  });

  it('comes by itself when the caller speaks, where the line wants it', async () => {
    let speak = (_edge: 'start' | 'end'): void => undefined;
    let isOpen = false;
    const voiceActivity = {
      listen: (_sampleRate: number, onEdge: typeof speak) => {
        speak = onEdge;
        isOpen = true;
        return {
          sampleRate: 8000 as const,
          hear: () => undefined,
          close: () => {
            isOpen = false;
          },
        };
      },
      close: async () => undefined,
    };
    const rig = new CallRig({ voiceActivity });
    const call = await rig.call({ line: { bargeIn: { onSpeech: true, onDtmf: false } } });
    speak('start');
    speak('end');
    call.say(TEXT);
    await rig.clock.advance(600);
    speak('start');
    expect(call.connection.sent.at(-1)).toBe('clear');
    await rig.clock.settle();
    expect(call.events.slice(1)).toMatchObject([
      { type: 'caller-speech-start' },
      { type: 'caller-speech-end' },
      { type: 'caller-speech-start' },
      { type: 'interruption', cause: 'speech', cut: [{ heard: 'one two' }] },
    ]);
    call.connection.say({ type: 'stop' });
    expect(isOpen).toBe(false);
  });

  it('by voice is left out, with a line in the log, where the model is missing', async () => {
    const rig = new CallRig();
    const call = await rig.call({ line: { bargeIn: { onSpeech: true, onDtmf: false } } });
    call.say(TEXT);
    call.connection.say(new Uint8Array(160));
    await rig.clock.advance(3000);
    expect(call.told('interruption')).toEqual([]);
    expect(rig.logged.filter((line) => line.includes('setup.mjs fetch silero-vad'))).toHaveLength(
      1,
    );
  });
});
