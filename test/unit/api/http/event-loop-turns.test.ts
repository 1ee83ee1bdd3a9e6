import { describe, expect, it } from 'vitest';
import { EventLoopTurns } from '../../../../src/api/http/event-loop-turns.ts';

/** Requests that each keep the event loop for a millisecond, and turns that pass when told to. */
function openTurns() {
  let nowMs = 0;
  let planned: Array<() => void> = [];
  const begun: string[] = [];
  const turns = new EventLoopTurns(
    () => nowMs,
    (run) => planned.push(run),
  );
  const enter = (name: string) =>
    turns.enter(() => {
      nowMs++;
      begun.push(name);
    });
  const pass = () => {
    const due = planned;
    planned = [];
    for (const run of due) run();
    return due.length;
  };
  return { enter, pass, begun };
}

describe('the turns of requests', () => {
  it('begin at once while the turn of the event loop is young', () => {
    const { enter, begun } = openTurns();
    for (const name of 'abc') enter(name);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('are spread over turns when many come at once, in the order in which they came', () => {
    const { enter, pass, begun } = openTurns();
    for (const name of 'abcdef') enter(name);
    expect(begun.join('')).toBe('abc');
    pass();
    enter('g');
    expect(begun.join('')).toBe('abcd');
    while (pass() > 0);
    expect(begun.join('')).toBe('abcdefg');
  });

  it('begin at once again after a turn without any', () => {
    const { enter, pass, begun } = openTurns();
    for (const name of 'abcd') enter(name);
    while (pass() > 0);
    enter('e');
    expect(begun.join('')).toBe('abcde');
  });
});
