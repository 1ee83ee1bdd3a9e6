import type { MediaType, Operation, Response } from './openapi-document.ts';

/** Two routes of one address, told apart by what a document of addresses cannot say, as one operation. */
export function eitherOperation(one: Operation, other: Operation): Operation {
  const statuses = new Set([...Object.keys(one.responses), ...Object.keys(other.responses)]);
  const responses = [...statuses].map((status) => [
    status,
    eitherResponse(one.responses[status], other.responses[status]),
  ]);
  const description = [one.description, other.summary].filter(Boolean).join(' ');
  return { ...one, description, responses: Object.fromEntries(responses) };
}

function eitherResponse(one: Response | undefined, other: Response | undefined) {
  if (!one || !other) return one ?? other;
  const content: Record<string, MediaType> = { ...one.content };
  for (const [type, media] of Object.entries(other.content ?? {})) {
    const known = content[type];
    content[type] = known ? { schema: { anyOf: [known.schema, media.schema] } } : media;
  }
  return { ...one, description: `${one.description} Or: ${other.description}`, content };
}
