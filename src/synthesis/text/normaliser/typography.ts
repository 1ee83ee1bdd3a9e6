import { type Rule, rule } from './rule.ts';

const PICTURE =
  '(?:\\p{Regional_Indicator}{2}|(?:\\p{Emoji_Presentation}|\\p{Extended_Pictographic}\\uFE0F|[\\u{1F000}-\\u{1FAFF}])\\uFE0F?\\p{Emoji_Modifier}?)';
/** Joined pictures (families, professions) are one emoji; the bound only keeps an attempt constant. */
const EMOJI = `${PICTURE}(?:\\u200D?${PICTURE}){0,15}`;
const EMOTICON = '(?<!\\S)[:;=]-?[)(DPp](?![^\\s.,!?])';
const SILENT_MARK = '[®™℠•◦▪■●†‡]\\uFE0F?';
const UNSPOKEN = `(?:${EMOJI}|${EMOTICON}|${SILENT_MARK})`;

/** Controls (a NUL would end the text for a C library), soft hyphens, zero-width and direction marks. */
const INVISIBLE =
  '[\\0-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x84\\x86-\\x9F\\xAD\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u2064\\u2066-\\u2069\\uFEFF]{1,64}';

/**
 * What is alike in every language: pictures and invisible characters are not spoken, typographic
 * quotes and repeated punctuation become their plain selves, Markdown bullets and emphasis go.
 */
export const typographyRules: readonly Rule[] = [
  rule('symbol', INVISIBLE, () => ''),
  // Of the spaces on both sides of what vanishes, one goes too.
  rule('symbol', `(?<=^|\\s)${UNSPOKEN}[ \\t]?`, () => ''),
  rule('symbol', UNSPOKEN, () => ''),
  rule('symbol', '[‘’‛]', () => "'"),
  rule('symbol', '[“”„‟«»]', () => '"'),
  rule('symbol', '([!?])\\1{1,64}', ([, mark]) => mark),
  rule('symbol', '\\.{4,64}', () => '...'),
  rule('symbol', ',{2,64}', () => ','),
  rule('symbol', '(?<=^|\\n)[*-][ \\t]{1,4}(?=\\S)', () => ''),
  rule('symbol', '-{2,64}', () => '—'),
  // Stars that hug a word; "5 * 3" and the star key of a telephone ("*67") are a language's matter.
  rule('symbol', '(?<![\\p{L}\\p{N}])(?:\\*{2,3}(?=[^\\s*])|\\*(?=[\\p{L}"\'(]))', () => ''),
  rule('symbol', '(?<=[^\\s*])\\*{1,3}(?![\\p{L}\\p{N}*])', () => ''),
  rule('symbol', '`{1,3}', () => ''),
];
