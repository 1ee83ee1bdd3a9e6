import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import {
  type ContextCommand,
  SpeechContexts,
} from '../../../../src/synthesis/speech/speech-contexts.ts';

/** Contexts that may not begin to speak, and what is told of them. */
function refusedContexts(refusal = new SpeechError('quota_exceeded', 'No characters are left.')) {
  const told: string[] = [];
  const answers: string[] = [];
  const contexts = new SpeechContexts({
    beginSpeech: () => {
      throw refusal;
    },
    onEnded: (contextId, chunkNumber) => told.push(`${contextId} ended ${chunkNumber}`),
    onFlushed: (contextId, chunkNumber) => answers.push(`${contextId} flushed ${chunkNumber}`),
    onCleared: (contextId, chunkNumber) => answers.push(`${contextId} cleared ${chunkNumber}`),
    onFailed: ({ code }, contextId, chunkNumber) =>
      told.push(`${contextId} ${code} ${chunkNumber}`),
    now: () => 0,
  });
  return { contexts, told, answers };
}

const text = (contextId: string, words: string): ContextCommand => ({
  type: 'text',
  contextId,
  text: words,
  trigger: false,
});

describe('contexts', () => {
  it('fail one by one', () => {
    const { contexts, told } = refusedContexts();
    contexts.handle({ type: 'flush', contextId: 'a' });
    contexts.handle({ type: 'flush', contextId: 'b' });
    contexts.handle(text('a', 'Hello'));
    expect(told).toEqual(['a quota_exceeded 0']);
    contexts.handle({ type: 'context-close', contextId: 'b', isImmediate: true });
    expect(told).toEqual(['a quota_exceeded 0', 'b ended 0']);
    expect(contexts.isEmpty).toBe(true);
  });

  it('refuse text that nobody will hear for hours, whether or not its context is open', () => {
    const { contexts, told } = refusedContexts();
    contexts.handle({ type: 'flush', contextId: 'a' });
    const flood = 'x'.repeat(100_001);
    contexts.handle(text('b', flood));
    expect(told).toEqual(['b text_too_long 0']);
    contexts.handle(text('a', flood));
    expect(told).toEqual(['b text_too_long 0', 'a text_too_long 0']);
    expect(contexts.isEmpty).toBe(true);
  });

  it('answer each flush and each clear, also where nothing was said', () => {
    const { contexts, answers } = refusedContexts();
    const flush: ContextCommand = { type: 'flush', contextId: 'a' };
    const clear: ContextCommand = { type: 'clear', contextId: 'a' };
    for (const command of [clear, flush, clear, flush]) contexts.handle(command);
    expect(answers).toEqual(['a cleared 0', 'a flushed 0', 'a cleared 0', 'a flushed 0']);
    expect(contexts.isEmpty).toBe(true);
  });

  it('are not brought back by late frames', () => {
    const { contexts, told } = refusedContexts();
    contexts.handle({ type: 'flush', contextId: 'a' });
    contexts.handle({ type: 'context-close', contextId: 'a', isImmediate: true });
    contexts.handle({ type: 'flush', contextId: 'a' });
    contexts.handle({ type: 'context-close', contextId: 'a' });
    expect(contexts.isEmpty).toBe(true);
    expect(told).toEqual(['a ended 0']);
  });

  it('keep the settings that came before their text, up to a number of them', () => {
    const seen: unknown[] = [];
    const contexts = new SpeechContexts({
      beginSpeech: (contextId, settings) => {
        seen.push([contextId, settings.voiceSettings]);
        throw new SpeechError('quota_exceeded', 'No characters are left.');
      },
      onEnded: () => undefined,
      onFailed: () => undefined,
    });
    contexts.handle({ type: 'configure', settings: { voiceSettings: { speed: 0.9 } } });
    for (let count = 0; count < 257; count++) {
      const settings = { voiceSettings: { speed: 1.1 } };
      contexts.handle({ type: 'configure', contextId: `${count}`, settings });
    }
    contexts.handle(text('0', 'Hello'));
    contexts.handle(text('1', 'Hello'));
    expect(seen).toEqual([
      ['0', { speed: 0.9 }],
      ['1', { speed: 1.1 }],
    ]);
  });
});
