const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is HTML already. Everything else that enters a page is escaped. */
export class Html {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

export type HtmlValue = Html | string | number | readonly HtmlValue[];

/** A template whose values are escaped, unless they are `Html`; lists are joined. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(escaped)));
}

function escaped(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(escaped).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
