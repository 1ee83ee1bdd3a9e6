import { describe, expect, it } from 'vitest';
import { audiblePart } from '../../../../../src/synthesis/engine/kokoro/audible.ts';

describe('the part of a piece that is handed out', () => {
  // Pad, three sounds, the last one with its silence, and pad; marks last for themselves.
  const word = [14, 2, 3, 13, 6];
  const marked = [14, 2, 3, 13, 6, 1];

  it('begins shortly before the first sound', () => {
    expect(audiblePart(word, 'word', 1).start).toBe(8);
    expect(audiblePart([4, 2, 13, 6], 'word', 1).start).toBe(0);
  });

  it('ends with the last sound between words, and leaves a pause after marks', () => {
    expect(audiblePart(word, 'word', 1).end).toBe(19 + 7);
    expect(audiblePart(marked, 'clause', 1).end).toBe(19 + 10);
    expect(audiblePart(marked, 'sentence', 1).end).toBe(19 + 13);
  });

  it('never ends after the speech', () => {
    expect(audiblePart([14, 2, 3, 1], 'word', 1).end).toBe(20);
  });

  it('stretches with slow speech', () => {
    const { start, end } = audiblePart([28, 4, 6, 26, 12], 'word', 0.5);
    expect([start, end]).toEqual([16, 38 + 14]);
  });
});
