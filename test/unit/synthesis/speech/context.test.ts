import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import type { EnginePlace } from '../../../../src/synthesis/engine/engine.ts';
import { Context } from '../../../../src/synthesis/speech/context.ts';
import { openPipeline } from '../../../../src/synthesis/speech/speech-pipeline.ts';
import { speechStyle } from '../../../../src/synthesis/speech/speech-style.ts';
import { FrontEnd } from '../../../../src/synthesis/text/front-end.ts';
import { LetterPhonemiser } from '../../../support/letter-phonemiser.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';
import { toneSpeaker, VOICE } from '../../../support/tone-speech.ts';

const SENTENCES = Array.from({ length: 2000 }, (_, index) => ` This is sentence ${index}.`);
class CountingPhonemiser extends LetterPhonemiser {
  read = 0;

  override pronounce(spoken: string, language: string, signal: AbortSignal) {
    this.read++;
    return super.pronounce(spoken, language, signal);
  }
}

/** Never done with a text. */
class EndlessPhonemiser extends CountingPhonemiser {
  override pronounce(): Promise<never> {
    return new Promise(() => undefined);
  }
}

class FullEngine extends ToneEngine {
  readonly refusal = new SpeechError('system_busy', 'Full.');

  override reserve(): EnginePlace {
    throw this.refusal;
  }
}

/** Lets one stream begin, and no other. */
class SmallEngine extends ToneEngine {
  override reserve(): EnginePlace {
    if (this.reserved.size > 0 || this.spoken.length > 0)
      throw new SpeechError('system_busy', 'Full.');
    return super.reserve();
  }
}

function openContext(
  engine: ToneEngine = new ToneEngine({ samplesPerSymbol: 64 }),
  { now = (): number => 0, phonemiser = new CountingPhonemiser() } = {},
) {
  const charged: number[] = [];
  let end: (error: SpeechError | undefined) => void = () => undefined;
  const ended = new Promise<SpeechError | undefined>((resolve) => {
    end = resolve;
  });
  const enter = async ({ characters }: { readonly characters: number }) => {
    charged.push(characters);
    return { hear: () => undefined, end: async () => undefined };
  };
  const frontEnd = new FrontEnd(phonemiser, () => undefined);
  const speaker = toneSpeaker(engine, { frontEnd, now });
  const style = speechStyle(
    {
      ...{ format: parseOutputFormat('pcm_22050'), latencyLevel: 0 },
      ...{ seed: 1, normalise: false, alignment: 'chunk' },
    },
    { voice: VOICE, settings: DEFAULT_VOICE_SETTINGS },
  );
  const ports = { speaker, accountId: 'a', meter: { enter }, onSpoken: () => undefined };
  const begin = () => openPipeline(style, ports, async () => undefined);
  return { context: new Context('a', begin, end), engine, phonemiser, charged, ended };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a long message', () => {
  it('is prepared a few chunks ahead of speech, and all of it waits', async () => {
    const { context, engine, phonemiser } = openContext();
    engine.hold();
    const text = SENTENCES.join('');
    context.text(text, false);
    await turns(200);
    expect(phonemiser.read).toBe(3);
    expect(context.waitingChars).toBe(text.length);
    expect(context.busy).toBe(true);
    context.cancel();
  });

  it('is spoken in order to its end, with what comes while it is read behind it', async () => {
    const { context, engine, charged, ended } = openContext();
    const first = SENTENCES.slice(0, 60).join('');
    context.text(first, false);
    context.text(' And', false);
    await turns(2);
    context.text(' the rest. Held', false);
    context.close();
    expect(context.waitingChars).toBeGreaterThan(0);
    expect(await ended).toBeUndefined();
    expect(engine.spoken.join('')).toBe(`${first} And the rest. Held`);
    expect(charged.reduce((sum, characters) => sum + characters, 0)).toBe(engine.spoken.length);
    expect([context.waitingChars, context.busy]).toEqual([0, false]);
  });

  it('is not read on once its context is cancelled', async () => {
    const { context, engine, phonemiser, ended } = openContext();
    context.text(SENTENCES.join(''), false);
    while (engine.spoken.length < 40) await turns(1);
    context.cancel();
    await ended;
    const [spoken, read] = [engine.spoken.length, phonemiser.read];
    await turns(100);
    expect([engine.spoken.length, phonemiser.read]).toEqual([spoken, read]);
    expect(context.state).toBe('closed');
  });

  it('counts an emoji as one character', async () => {
    const { context, charged, ended } = openContext();
    context.text('Fine 👍 5.', false);
    expect(context.waitingChars).toBe(9);
    context.close();
    await ended;
    expect(charged).toEqual([9]);
  });
});

describe('a context that an engine without room would refuse', () => {
  it('is refused before its text is read', async () => {
    const engine = new FullEngine();
    const { context, phonemiser, charged, ended } = openContext(engine);
    context.text('Nobody has time for this. ', false);
    context.close();
    expect(await ended).toBe(engine.refusal);
    expect(phonemiser.read).toBe(0);
    expect(charged).toEqual([]);
  });

  it('keeps its place while its text is read, and gives it up when it is cancelled', async () => {
    const engine = new ToneEngine();
    const { context } = openContext(engine, { phonemiser: new EndlessPhonemiser() });
    context.text('Somebody changes their mind. ', true);
    await turns(1);
    expect(engine.reserved.size).toBe(1);
    context.cancel();
    expect(engine.reserved.size).toBe(0);
  });

  it('goes on when it has been let in, across flushes and short silence', async () => {
    let nowMs = 0;
    const engine = new SmallEngine({ samplesPerSymbol: 64 });
    const { context, ended } = openContext(engine, { now: () => nowMs });
    for (const text of ['One. ', 'Two. ', 'Three. ']) {
      context.text(text, true);
      context.flush();
      while (context.busy) await turns(1);
      nowMs += 3000;
    }
    context.close();
    expect(await ended).toBeUndefined();
    expect(engine.spoken.join('')).toContain('Three.');
  });

  it('begins anew, and may be refused, after a long silence', async () => {
    let nowMs = 0;
    const { context, ended } = openContext(new SmallEngine({ samplesPerSymbol: 64 }), {
      now: () => nowMs,
    });
    context.text('One. ', true);
    context.flush();
    while (context.busy) await turns(1);
    nowMs += 60_000;
    context.text('Two. ', true);
    expect(await ended).toMatchObject({ code: 'system_busy' });
  });
});
