import { readFileSync } from 'node:fs';

const NAMES = ['Anna', 'Marcus', 'Priya', 'Oliver', 'Sofia', 'Henry', 'Grace', 'Daniel'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const THINGS = ['delivery', 'prescription', 'reservation', 'invoice', 'repair', 'application'];

type Draw = <T>(from: readonly T[]) => T;
type Template = (draw: Draw, number: (low: number, high: number) => number) => string;

/** What a voice agent says on the phone: one or two sentences of 60–150 characters together. */
const TEMPLATES: readonly Template[] = [
  (draw, number) =>
    `Your appointment is on ${draw(DAYS)} at ${number(8, 11)}:15 am, and the fee is $${number(20, 90)}.50.`,
  (draw) =>
    `Thanks for calling, ${draw(NAMES)}. I can certainly help you with your ${draw(THINGS)} today.`,
  (draw, number) =>
    `I have found your ${draw(THINGS)}. The reference ends in ${number(100, 999)}, is that the right one?`,
  (draw, number) =>
    `Let me check that for you, it will only take a moment. There are ${number(2, 9)} callers before ${draw(NAMES)}.`,
  (draw) =>
    `I am sorry to hear that, ${draw(NAMES)}, and I would like to put it right. Could you tell me what happened on ${draw(DAYS)}?`,
  (draw, number) =>
    `We are open until ${number(5, 9)} pm on ${draw(DAYS)}, so you can still collect your ${draw(THINGS)} in person.`,
  (draw) =>
    `Of course, I will send the details of your ${draw(THINGS)} to the address we have on file for ${draw(NAMES)}.`,
  (draw, number) =>
    `That was cancelled ${number(2, 30)} days ago, ${draw(NAMES)}. Would you like me to book another time on ${draw(DAYS)}?`,
];

/**
 * Replies without end, the same sequence for the same seed. Names and numbers differ from one to the
 * next, so that nothing which remembers text it has spoken can answer from memory.
 */
export function* replies(seed: number): Generator<string, never> {
  let state = seed >>> 0;
  // Marsaglia's xorshift: only variety is wanted of it.
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const number = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const draw: Draw = (from) => from[number(0, from.length - 1)] as (typeof from)[number];
  for (let index = 0; ; index++) {
    yield (TEMPLATES[index % TEMPLATES.length] as Template)(draw, number);
  }
}

/** Replies of agents that nothing was tuned to, by how long their first sentences are. */
export const UNSCRIPTED: Readonly<Record<'short' | 'middle' | 'long', readonly string[]>> = {
  short: unscripted('short'),
  middle: unscripted('middle'),
  long: unscripted('long'),
};

function unscripted(name: string): readonly string[] {
  const file = new URL(`unscripted/${name}.txt`, import.meta.url);
  return readFileSync(file, 'utf8').trim().split('\n');
}

/** Cuts a reply as language models do: pieces of up to seven letters, a space before new words. */
export function tokens(reply: string): string[] {
  return reply.match(/ ?[\p{L}']{1,7}| ?\d{1,3}| ?[^\p{L}\d\s]|\s/gu) ?? [];
}
