/**
 * Ids of the symbols that Kokoro-82M reads (its published `config.json`; Apache-2.0). Capitals stand for
 * diphthongs: A "eɪ", I "aɪ", O "oʊ", Q "əʊ", W "aʊ", Y "ɔɪ"; T is the flap of "butter", S a long "s".
 */
const IDS: ReadonlyArray<readonly [firstId: number, symbols: string]> = [
  [1, ';:,.!?'],
  [9, '—…"()“”'],
  [16, ' \u0303ʣʥʦʨᵝ\uAB67'],
  [24, 'AI'],
  [31, 'O'],
  [33, 'Q'],
  [35, 'ST'],
  [39, 'W'],
  [41, 'Yᵊabcdef'],
  [50, 'hijklmnopqrstuvwxyzɑɐɒæ'],
  [75, 'βɔɕç'],
  [80, 'ɖðʤə'],
  [85, 'ɚɛɜ'],
  [90, 'ɟ'],
  [92, 'ɡ'],
  [99, 'ɥ'],
  [101, 'ɨɪʝ'],
  [110, 'ɯɰŋɳɲɴø'],
  [118, 'ɸθœ'],
  [123, 'ɹ'],
  [125, 'ɾɻ'],
  [128, 'ʁɽʂʃʈʧ'],
  [135, 'ʊʋ'],
  [138, 'ʌɣɤ'],
  [142, 'χʎ'],
  [147, 'ʒʔ'],
  [156, 'ˈˌː'],
  [162, 'ʰ'],
  [164, 'ʲ'],
  [169, '↓'],
  [171, '→↗↘'],
  [177, 'ᵻ'],
];

/** Stands before the first symbol and after the last. */
export const PAD_ID = 0;

export const KOKORO_IDS: ReadonlyMap<string, number> = new Map(
  IDS.flatMap(([firstId, symbols]) =>
    [...symbols].map((symbol, index) => [symbol, firstId + index] as const),
  ),
);
