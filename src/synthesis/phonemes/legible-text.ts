import anyAscii from 'any-ascii';

const ASCII_PRINTABLE = /^[\x20-\x7e\n\t]*$/u;
/** Pictures and their modifiers; espeak-ng would read out their names. */
const PICTURE =
  /(?![©®™‼⁉\u2190-\u21ff])\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u20e3\ufe0e\ufe0f]|[\u{e0020}-\u{e007f}]/gu;
/** Controls (a NUL would end the text for C), private-use codes (espeak-ng's own), lone surrogates. */
const UNREADABLE = /(?![\n\t])[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufffd]/gu;
/** Byte order marks, soft hyphens, direction marks; not the joiners that Indic scripts spell with. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
const GREEK_QUESTION_MARK = /\u037e/gu;
/** espeak-ng spells out the digits of scripts that its language does not write. */
const OTHER_DIGITS = /(?!\p{ASCII})\p{Nd}/gu;
const WIDE_OR_NARROW_FORMS = /[\uff01-\uff9f]+/gu;

/**
 * Rewrites a text into what espeak-ng reads well: composed letters, ordinary widths, and nothing
 * that is not written speech. Lengths change, so indexes into the text do not carry over.
 */
export function legibleText(text: string): string {
  if (ASCII_PRINTABLE.test(text)) return text;
  return (
    text
      .replace(PICTURE, ' ')
      .replace(INVISIBLE, '')
      .replace(UNREADABLE, ' ')
      .replace(PILED_MARKS, '$1')
      // Composing would turn it into a semicolon.
      .replace(GREEK_QUESTION_MARK, '?')
      .replace(OTHER_DIGITS, anyAscii)
      .replace(WIDE_OR_NARROW_FORMS, (run) => run.normalize('NFKC'))
      .normalize('NFC')
  );
}
