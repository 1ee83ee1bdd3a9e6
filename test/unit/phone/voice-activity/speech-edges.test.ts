import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpeechEdges } from '../../../../src/phone/voice-activity/speech-edges.ts';

const WINDOW_MS = 32;

/** @returns each edge with the window that it came with. */
function edgesOf(probabilities: readonly number[]): string[] {
  const edges = new SpeechEdges(WINDOW_MS);
  return probabilities.flatMap((probability, at) => {
    const edge = edges.push(probability);
    return edge ? [`${edge} ${at}`] : [];
  });
}

function row(...parts: ReadonlyArray<readonly [probability: number, windows: number]>): number[] {
  return parts.flatMap(([probability, windows]) => new Array<number>(windows).fill(probability));
}

describe('SpeechEdges', () => {
  it('needs a tenth of a second of speech, and half a second of silence', () => {
    expect(edgesOf(row([0, 10], [0.9, 20], [0.1, 40]))).toEqual(['start 12', 'end 45']);
  });

  it('is not shaken by a cough, nor by a pause between two words', () => {
    expect(edgesOf(row([0, 5], [0.9, 2], [0, 20]))).toEqual([]);
    expect(edgesOf(row([0.9, 10], [0.1, 10], [0.9, 10], [0.1, 12]))).toEqual(['start 2']);
  });

  it('takes what is neither for what went before', () => {
    expect(edgesOf(row([0.9, 2], [0.4, 5], [0.9, 1]))).toEqual(['start 7']);
    expect(edgesOf(row([0.9, 5], [0.4, 100]))).toEqual(['start 2']);
  });

  it('alternates, whatever it hears', () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(probability, { maxLength: 300 }), (probabilities) => {
        const names = edgesOf(probabilities).map((edge) => edge.split(' ')[0]);
        expect(names).toEqual(names.map((_, index) => (index % 2 === 0 ? 'start' : 'end')));
      }),
    );
  });
});
