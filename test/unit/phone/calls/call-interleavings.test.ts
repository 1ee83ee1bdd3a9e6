import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallCommand } from '../../../../src/phone/calls/call-messages.ts';
import { CallRig, type TestCall, testStart } from '../../../support/call-rig.ts';
import { textHeard } from '../../../support/call-sound.ts';

const LETTER_MS = (1024 * 1000) / 22_050;
/** Every context speaks in a letter of its own, so that who was heard can be heard. */
const CONTEXTS = ['a', 'b', 'c', 'd', 'e'];

type Step =
  | { readonly type: 'text'; readonly contextId: string; readonly words: readonly number[] }
  | { readonly type: 'flush' | 'context-close'; readonly contextId: string }
  | { readonly type: 'mark' | 'clear' | 'listen' }
  | { readonly type: 'flow'; readonly isOpen: boolean }
  | { readonly type: 'wait'; readonly ms: number };

const contextId = fc.constantFrom(...CONTEXTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('text' as const),
      contextId,
      words: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('flush' as const, 'context-close' as const),
      contextId,
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('mark' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('clear' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('flow' as const), isOpen: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.integer({ min: 0, max: 1500 }),
    }),
  },
);
const carrier = fc.record({
  answersMarks: fc.boolean(),
  leadMs: fc.constantFrom(40, 200, 400),
  unitsPerMessage: fc.constantFrom(1, 5),
});

/** What must be true of a call, whatever is done to it. */
class Witness {
  readonly #rig: CallRig;
  readonly #call: TestCall;
  /** What each context has been told to say since it began. */
  readonly written = new Map<string, string>();
  /** What its predecessors of the same name have said to their end. */
  readonly #finished = new Map<string, string>();
  readonly #marks: string[] = [];
  #mayBeHeard = false;
  /** Contexts that take no text: closed and still speaking, or cut off. */
  readonly #shut = new Set<string>();

  constructor(rig: CallRig, call: TestCall) {
    this.#rig = rig;
    this.#call = call;
    call.onEvent = (event) => {
      if (event.type === 'context-end') this.#ended(event.contextId);
      if (event.type !== 'interruption') return;
      for (const { contextId: cut, heard, unheard } of event.cut) {
        this.#shut.add(cut);
        expect(heard + unheard).toBe(this.written.get(cut));
      }
    };
  }

  async take(taken: Step): Promise<void> {
    switch (taken.type) {
      case 'text':
        this.#write(taken.contextId, taken.words);
        break;
      case 'context-close':
        // A context that has said nothing is told to have ended at once.
        if (this.written.has(taken.contextId)) this.#close(taken.contextId);
        break;
      case 'flush':
        this.#call.command({ type: 'flush', contextId: taken.contextId });
        break;
      case 'mark':
        this.#marks.push(`mark ${this.#marks.length}`);
        this.#call.mark(this.#marks.at(-1) ?? '');
        break;
      case 'listen':
        break;
      case 'clear':
        this.#clear();
        await this.#rig.clock.settle();
        break;
      case 'flow':
        this.#call.connection.say({ type: 'flow', isOpen: taken.isOpen });
        break;
      case 'wait':
        await this.#wait(taken.ms);
    }
  }

  #write(context: string, words: readonly number[]): void {
    const text = `${words.map((letters) => context.repeat(letters)).join(' ')}. `;
    this.#do({ type: 'text', contextId: context, text, trigger: false });
    if (this.#shut.has(context)) return;
    this.#mayBeHeard = true;
    this.written.set(context, (this.written.get(context) ?? '') + text);
  }

  #close(context: string): void {
    if (this.#shut.has(context)) return;
    this.#do({ type: 'context-close', contextId: context });
    this.#shut.add(context);
  }

  #ended(context: string): void {
    const text = (this.#finished.get(context) ?? '') + (this.written.get(context) ?? '');
    this.#finished.set(context, text);
    this.written.delete(context);
    this.#shut.delete(context);
  }

  #clear(): void {
    const before = this.#call.connection.sent.length;
    this.#do({ type: 'clear' });
    expect(this.#call.connection.sent.slice(before)).toEqual(['clear']);
    this.#mayBeHeard = false;
  }

  async #wait(ms: number): Promise<void> {
    const before = this.#call.connection.sent.length;
    await this.#rig.clock.advance(ms);
    const sent = this.#call.connection.sent.slice(before);
    if (!this.#mayBeHeard) expect(sent).not.toContain('audio');
  }

  #do(command: CallCommand): void {
    this.#call.command(command);
  }

  /** Everything has had its time. */
  check(clearedMarks: boolean): void {
    const heard = this.#call.marks;
    expect(heard).toEqual(this.#marks.filter((name) => heard.includes(name)));
    if (!clearedMarks) expect(heard).toEqual(this.#marks);
    const sound = textHeard(this.#call.connection).join('');
    for (const context of CONTEXTS) this.#checkSound(context, sound);
    expect(
      this.#call.told('refusal').every(({ error }) => error.code === 'invalid_input_message'),
    ).toBe(true);
  }

  #checkSound(context: string, sound: string): void {
    const text = this.written.get(context) ?? '';
    const letters = count(sound, context) - count(this.#finished.get(context) ?? '', context);
    const cut = this.#call
      .told('interruption')
      .flatMap((event) => event.cut)
      .find((candidate) => candidate.contextId === context);
    if (!cut) {
      expect(letters).toBe(count(text, context));
      return;
    }
    const whole = count(cut.heard, context);
    const nextWord = /^\s*\S+/.exec(cut.unheard)?.[0] ?? '';
    // The letter that was cut in the middle may be counted or not.
    expect(letters).toBeGreaterThanOrEqual(whole);
    expect(letters).toBeLessThanOrEqual(whole + count(nextWord, context));
    expect(cut.heardMs / LETTER_MS).toBeGreaterThanOrEqual(letters - 1);
  }
}

function count(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

describe('whatever a bot and a carrier do', () => {
  it('speech, marks and clears keep their promises, and nothing is left behind', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40 }),
        carrier,
        async (steps, traits) => {
          const rig = new CallRig();
          const call = await rig.call({ carrier: { ...traits }, start: testStart('pcm_22050') });
          const witness = new Witness(rig, call);
          for (const taken of steps) await witness.take(taken);
          await witness.take({ type: 'flow', isOpen: true });
          for (const context of CONTEXTS) await witness.take({ type: 'flush', contextId: context });
          await witness.take({ type: 'wait', ms: 60_000 });
          witness.check(steps.some(({ type }) => type === 'clear'));
          expect(call.connection.mostAheadMs).toBeLessThanOrEqual(
            Math.max(traits.leadMs, 40 * traits.unitsPerMessage, 100),
          );
          call.connection.say({ type: 'stop' });
          await rig.clock.settle();
          expect([rig.clock.timers, rig.live.size, rig.calls.count, rig.engine.liveJobs]).toEqual([
            0, 0, 0, 0,
          ]);
        },
      ),
      { numRuns: 80 },
    );
  }, 120_000);
});
