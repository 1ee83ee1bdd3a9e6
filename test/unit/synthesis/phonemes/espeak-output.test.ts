import { describe, expect, it } from 'vitest';
import { symbolsOf } from '../../../../src/synthesis/phonemes/espeak-output.ts';

describe('symbolsOf', () => {
  it('takes out what the package puts between sounds and clauses', () => {
    expect(symbolsOf('h_ə_l_ˈoʊ | w_ˈɜː_l_d').join('')).toBe('həlˈoʊ wˈɜːld');
    expect(symbolsOf(' | _ˌɪ_z_ə_n_t__ ').join('')).toBe('ˌɪzənt');
  });

  it('removes language switches', () => {
    expect(symbolsOf('d_ˈa (en)h_ə_l_ˈəʊ(ru) d_a').join('')).toBe('dˈa həlˈəʊ da');
  });

  it('gives code points in canonical decomposition', () => {
    expect(symbolsOf('ç_ɔ̃')).toEqual(['c', '\u0327', 'ɔ', '\u0303']);
    expect(symbolsOf('')).toEqual([]);
  });
});
