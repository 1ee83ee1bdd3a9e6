/** One element of a call set-up document. */
export interface XmlElement {
  readonly name: string;
  /** Those that are undefined are left out. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly children?: readonly XmlElement[];
  readonly text?: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A whole document, escaped. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}\n`;
}

function written(
  { name, attributes = {}, children = [], text }: XmlElement,
  indent: string,
): string {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escaped(value ?? '')}"`)
    .join('');
  if (text !== undefined) return `${indent}<${name}${given}>${escaped(text)}</${name}>`;
  if (children.length === 0) return `${indent}<${name}${given}/>`;
  const inner = children.map((child) => written(child, `${indent}  `)).join('\n');
  return `${indent}<${name}${given}>\n${inner}\n${indent}</${name}>`;
}

/** Without the characters that XML 1.0 cannot carry in any form. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
