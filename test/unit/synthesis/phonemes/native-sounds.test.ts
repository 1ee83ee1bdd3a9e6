import { describe, expect, it } from 'vitest';
import {
  nativeSounds,
  probeLines,
  soundsHeardIn,
} from '../../../../src/synthesis/phonemes/native-sounds.ts';

describe('nativeSounds', () => {
  const english = soundsHeardIn(['n_ˈaʊ_ t_ˈɑː_ h_ˈiː | d_ɹ_ˈɪ_l_v_ə', '(de)_ç_ˈø_(en-us)_ k']);

  it('hears sounds that stand alone, and none of another language', () => {
    expect([...english].sort().join('')).toBe('dhiklntvɑəɪɹ');
  });

  it('keeps what the language has, and says the rest with what is next to it', () => {
    const said = (symbols: string) => nativeSounds([...symbols], english).join('');
    expect(said('vɭadʲˈimʲir')).toBe('vlɑdˈiiɹ');
    expect(said('ħˈaː χɐ')).toBe('hˈɑː hə');
    expect(said('nˈi2')).toBe('nˈi');
  });
});

describe('probeLines', () => {
  it('has the letters of alphabets, and gives up where they are too many', () => {
    expect(probeLines('en-us')).toHaveLength(2);
    expect(probeLines('ru')?.join(' ')).toContain('щ ъ');
    expect(probeLines('cmn')).toBeUndefined();
    expect(probeLines('xx')).toBeUndefined();
  });
});
