import type { JsonSchema } from '../wire/json-schema.ts';
import type { Method, Operation } from './openapi-document.ts';

/** A command that makes a request of the operation; names in capitals are for the reader to fill in. */
export function curlExample(
  baseUrl: string,
  method: Method,
  path: string,
  operation: Operation,
): string {
  const { security = [], requestBody } = operation;
  const url = baseUrl + path.replace(/\{(\w+)\}/g, (_all, name: string) => name.toUpperCase());
  const parts = [
    method === 'get' ? [] : [`-X ${method.toUpperCase()}`],
    security.length > 0 ? ['-H "xi-api-key: $SIDETONE_API_KEY"'] : [],
    Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema, example }]) =>
      type === 'application/json'
        ? [`-H 'content-type: ${type}'`, `-d ${quoted(JSON.stringify(example))}`]
        : formFields(schema),
    ),
    answersWithFile(operation) ? ['-o FILE'] : [],
  ];
  return ['curl -s --fail-with-body', ...parts.flat(), quotedUrl(url)].join(' ');
}

function formFields({ properties = {}, required = [] }: JsonSchema): string[] {
  return Object.entries(properties)
    .filter(([name, { type }]) => required.includes(name) || type === 'array')
    .map(([name, { type }]) => `-F ${name}=${type === 'array' ? '@FILE' : name.toUpperCase()}`);
}

function answersWithFile({ responses }: Operation): boolean {
  const types = Object.keys(responses['200']?.content ?? {});
  return types.some((type) => /^audio|zip|pls/.test(type));
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quotedUrl(url: string): string {
  return /^[\w:/.-]+$/.test(url) ? url : quoted(url);
}
