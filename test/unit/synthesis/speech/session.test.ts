import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import type { SpeechCommand, SpeechEvent } from '../../../../src/synthesis/speech/messages.ts';
import { Session } from '../../../../src/synthesis/speech/session.ts';
import { openPipeline } from '../../../../src/synthesis/speech/speech-pipeline.ts';
import { speechStyle } from '../../../../src/synthesis/speech/speech-style.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';
import { toneSpeaker, VOICE } from '../../../support/tone-speech.ts';

const TIMEOUT_MS = 20_000;
/** An open session of real parts over the tone engine, with a clock that a test sets. */
async function openSession() {
  const clock = { nowMs: 0 };
  const events: SpeechEvent[] = [];
  const engine = new ToneEngine({ samplesPerSymbol: 64 });
  const now = () => clock.nowMs;
  const style = speechStyle(
    {
      ...{ format: parseOutputFormat('pcm_22050'), latencyLevel: 0 },
      ...{ seed: 1, normalise: false, alignment: 'chunk' },
    },
    { voice: VOICE, settings: DEFAULT_VOICE_SETTINGS },
  );
  const speaker = toneSpeaker(engine, { now });
  const session: Session = new Session({
    admit: async () => undefined,
    emit: (event) => events.push(event),
    onEnd: () => undefined,
    now,
    beginSpeech: (contextId) =>
      openPipeline(
        style,
        { speaker, accountId: 'a', onSpoken: () => undefined },
        async (audio, alignment, chunkNumber) =>
          void events.push({ type: 'audio-frame', contextId, audio, alignment, chunkNumber }),
      ),
  });
  session.receive([]);
  await settled();
  const ended = () =>
    events.flatMap((event) => (event.type === 'context-end' ? [event.contextId] : []));
  return { session, engine, clock, events, ended };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const text = (contextId: string, words: string): SpeechCommand => ({
  type: 'text',
  contextId,
  text: words,
  trigger: false,
});

describe('idle contexts', () => {
  it('are closed when their own time is over, and tell when the next one may be due', async () => {
    const { session, clock, ended } = await openSession();
    expect(session.closeIdleContexts(TIMEOUT_MS)).toBeUndefined();
    session.receive([text('a', 'Waits')]);
    clock.nowMs = 8_000;
    session.receive([text('b', 'Waits too')]);
    await settled();
    clock.nowMs = 19_999;
    expect(session.closeIdleContexts(TIMEOUT_MS)).toBe(1);
    clock.nowMs = 20_000;
    expect(session.closeIdleContexts(TIMEOUT_MS)).toBe(8_000);
    await settled();
    expect(ended()).toEqual(['a']);
    clock.nowMs = 28_000;
    expect(session.closeIdleContexts(TIMEOUT_MS)).toBeUndefined();
    await settled();
    expect(ended()).toEqual(['a', 'b']);
  });

  it.each<[string, SpeechCommand]>([
    ['text', text('a', ' more')],
    ['a flush', { type: 'flush', contextId: 'a' }],
    ['settings', { type: 'configure', contextId: 'a', settings: {} }],
    ['a keep-alive', { type: 'keep-alive', contextId: 'a' }],
    ['a keep-alive for all', { type: 'keep-alive' }],
  ])('are kept by %s', async (_what, command) => {
    const { session, clock, ended } = await openSession();
    session.receive([text('a', 'Waits')]);
    clock.nowMs = 15_000;
    session.receive([command]);
    await settled();
    clock.nowMs = 34_999;
    session.closeIdleContexts(TIMEOUT_MS);
    await settled();
    expect(ended()).toEqual([]);
    clock.nowMs = 35_000;
    session.closeIdleContexts(TIMEOUT_MS);
    await settled();
    expect(ended()).toEqual(['a']);
  });

  it('are not those that speak', async () => {
    const { session, engine, clock, ended } = await openSession();
    engine.hold();
    session.receive([text('a', 'Held up.'), { type: 'flush', contextId: 'a' }]);
    session.receive([text('b', 'Waits')]);
    await settled();
    clock.nowMs = 60_000;
    session.receive([{ type: 'keep-alive', contextId: 'a' }]);
    session.closeIdleContexts(TIMEOUT_MS);
    await settled();
    expect(ended()).toEqual([]);
    engine.release();
    await settled();
    // The other one was due: it was closed, and its text is spoken now that the engine goes on.
    expect(ended()).toEqual(['b']);
    clock.nowMs = 79_999;
    expect(session.closeIdleContexts(TIMEOUT_MS)).toBe(1);
    clock.nowMs = 80_000;
    session.closeIdleContexts(TIMEOUT_MS);
    await settled();
    expect(ended()).toEqual(['b', 'a']);
  });
});

describe('an immediate close', () => {
  it('drops what is said and buffered, and the next text starts anew', async () => {
    const { session, engine, events, ended } = await openSession();
    engine.hold();
    session.receive([text('a', 'Never said.'), text('a', ' Nor this')]);
    await settled();
    session.receive([{ type: 'context-close', contextId: 'a', isImmediate: true }]);
    session.receive([{ type: 'flush', contextId: 'a' }]);
    expect(ended()).toEqual(['a']);
    session.receive([text('a', 'Said.')]);
    engine.release();
    await settled();
    expect(engine.spoken.join('')).toBe('Said.');
    expect(events.filter(({ type }) => type === 'error')).toEqual([]);
  });

  it('opens no context where there is none', async () => {
    const { session, events } = await openSession();
    session.receive([{ type: 'context-close', contextId: 'a', isImmediate: true }]);
    await settled();
    expect(events).toEqual([]);
  });
});
