import { describe, expect, it } from 'vitest';
import { phonemeIds, symbolDurations } from '../../../../src/synthesis/engine/phoneme-ids.ts';

const voice = {
  phonemeIds: new Map([
    ['_', [0]],
    ['^', [1]],
    ['$', [2]],
    ['a', [14]],
    ['k', [23]],
    ['twin', [7, 8]],
  ]),
  phonemeMap: new Map([['c', ['k']]]),
};

describe('phoneme ids', () => {
  it('stand between start and end, each followed by a pad', () => {
    expect(phonemeIds(['a', 'k'], voice).ids).toEqual([1, 0, 14, 0, 23, 0, 2]);
  });

  it('belong to the symbol that they voice; the edges to the first and the last', () => {
    expect(phonemeIds(['a', 'k'], voice).owners).toEqual([0, 0, 0, 0, 1, 1, 1]);
  });

  it('leave out what the voice lacks', () => {
    const { ids, owners } = phonemeIds(['☎', 'a', '☃', 'k', '☂'], voice);
    expect(ids).toEqual([1, 0, 14, 0, 23, 0, 2]);
    expect(owners).toEqual([1, 1, 1, 1, 3, 3, 3]);
  });

  it('are none when the voice knows none of the symbols', () => {
    expect(phonemeIds(['☎'], voice)).toEqual({ ids: [], owners: [] });
    expect(phonemeIds([], voice)).toEqual({ ids: [], owners: [] });
  });

  it('follow the voice’s own replacements, and symbols of several ids', () => {
    expect(phonemeIds(['c'], voice).ids).toEqual([1, 0, 23, 0, 2]);
    expect(phonemeIds(['twin'], voice).ids).toEqual([1, 0, 7, 0, 8, 0, 2]);
  });
});

describe('durations of symbols', () => {
  it('sum those of their ids, and are 0 for symbols left out', () => {
    const { owners } = phonemeIds(['☎', 'a', 'k'], voice);
    expect(symbolDurations(owners, [1, 2, 3, 4, 5, 6, 7], 3)).toEqual([0, 10, 18]);
  });
});
