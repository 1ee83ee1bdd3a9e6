import { describe, expect, it } from 'vitest';
import { kokoroIds } from '../../../../../src/synthesis/engine/kokoro/kokoro-ids.ts';
import type { KokoroLanguage } from '../../../../../src/synthesis/engine/kokoro/speakers.ts';
import { symbolRulesFor } from '../../../../../src/synthesis/engine/kokoro/symbol-rules.ts';
import { KOKORO_IDS } from '../../../../../src/synthesis/engine/kokoro/vocabulary.ts';

const SYMBOLS = new Map(Array.from(KOKORO_IDS, ([symbol, id]) => [id, symbol]));

function read(espeak: string, language: KokoroLanguage) {
  const { ids, owners } = kokoroIds([...espeak.normalize('NFD')], symbolRulesFor(language));
  return { text: ids.map((id) => SYMBOLS.get(id)).join(''), owners };
}

describe('symbols of eSpeak NG as Kokoro reads them', () => {
  it.each([
    // "Your fee is forty-two dollars; I may join a church now, over there."
    ['en-US', 'jʊɹ fˈiː ɪz fˈɔːɹɾitˈuː dˈɑːlɚz;', 'jʊɹ fˈi ɪz fˈɔɹTitˈu dˈɑləɹz;'],
    ['en-US', 'aɪ mˈeɪ dʒˈɔɪn ɐ tʃˈɜːtʃ nˈaʊ, ˌoʊvɚ ðˈɛɹ', 'I mˈA ʤˈYn ə ʧˈɜɹʧ nˈW, ˌOvəɹ ðˈɛɹ'],
    // "a little alone"
    ['en-US', 'ɐ lˈɪɾəl əlˈoʊn', 'ə lˈɪTᵊl əlˈOn'],
    // "No, there is coffee over here."
    ['en-GB', 'nˈəʊ, ðeəɹ ɪz kˈɒfi ˌəʊvə hˈiə', 'nˈQ, ðɛːɹ ɪz kˈɒfi ˌQvə hˈɪə'],
    ['es', 'mˈutʃas ɡɾˈaθjas', 'mˈuʧas ɡɾˈaθjas'],
    ['fr', 'ɡaʁsˈɔ̃, sa vˈa', 'ɡaʁsˈɔ̃, sa vˈa'],
    ['it', 'ɡɾˈatsje dˈɔdzi', 'ɡɾˈaʦje dˈɔʣi'],
    ['pt-BR', 'kˌaza ɡwˈaɾədʒy', 'kˌaza ɡwˈaɾɐʤɪ'],
    ['hi', 'nəmˈʌsteː', 'nəmˈʌsteː'],
  ] as const)('%s: %s', (language, espeak, expected) => {
    expect(read(espeak, language).text).toBe(expected.normalize('NFD'));
  });

  it('tells which symbol each id comes from', () => {
    expect(read('dʒˈɚ', 'en-US')).toEqual({ text: 'ʤˈəɹ', owners: [0, 2, 3, 3] });
  });

  it('reads a cedilla that comes decomposed as one sound', () => {
    expect(read('ç', 'es')).toEqual({ text: 'ç', owners: [0] });
  });

  it('leaves out what Kokoro lacks', () => {
    expect(read('☎a☃', 'en-US')).toEqual({ text: 'a', owners: [1] });
  });
});
