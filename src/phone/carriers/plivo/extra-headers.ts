import { isObject } from '../message-reader.ts';

/**
 * The attribute `extraHeaders` of `<Stream>`, as it comes with `start`. Plivo has written it as
 * `key=value;key=value`, with commas, as `{X-PH-key: value}` and as JSON.
 */
export function extraHeaders(text: string): Readonly<Record<string, unknown>> {
  const json = parsed(text);
  const pairs = isObject(json) ? Object.entries(json) : looseEntries(text);
  return Object.fromEntries(pairs.map(([name, value]) => [name.replace(/^x-ph-/i, ''), value]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function looseEntries(text: string): Array<[string, string]> {
  return text
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .split(/[;,]/)
    .map((pair): [string, string] => {
      const at = pair.search(/[=:]/);
      return at < 0 ? ['', ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    })
    .filter(([name]) => name !== '');
}
