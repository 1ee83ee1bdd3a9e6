const ENGLISH_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** The language of a locale, without its country: `pt-BR` is `pt`. */
export function languageCode(locale: string): string {
  return locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? locale;
}

/** What English calls a language: `pt` is "Portuguese". */
export function languageName(code: string): string {
  return ENGLISH_NAMES.of(code) ?? code;
}
