import type { JsonSchema } from './asyncapi-document.ts';
import { type Html, html } from './html.ts';

interface Field {
  /** With the names of the objects around it, such as `voice_settings.speed`. */
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
}

/** One row a field, those of objects inside objects included. */
export function fieldTable(schema: JsonSchema): Html {
  const fields = fieldsOf(schema);
  const showsDefaults = fields.some((field) => field.schema.default !== undefined);
  return html`<div class="wide"><table>
<thead><tr><th>Name</th><th>Type</th>${showsDefaults ? html`<th>Default</th>` : ''}<th>Meaning</th></tr></thead>
<tbody>${fields.map((field) => fieldRow(field, showsDefaults))}</tbody></table></div>`;
}

function fieldRow({ path, schema, isOptional }: Field, showsDefaults: boolean): Html {
  const usual = schema.default === undefined ? '–' : html`<code>${String(schema.default)}</code>`;
  return html`<tr>
<th scope="row"><code>${path}</code>${isOptional ? html` <small>optional</small>` : ''}</th>
<td class="type">${typeText(schema)}</td>
${showsDefaults ? html`<td data-label="Default">${usual}</td>` : ''}<td>${schema.description ?? ''}</td></tr>
`;
}

function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  // Where everything may be left out, saying so of each field tells nothing.
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name;
    const isOptional = required.length > 0 && !required.includes(name);
    const inner = [field, ...(field.anyOf ?? [])].find((part) => part.properties);
    return [{ path, schema: field, isOptional }, ...(inner ? fieldsOf(inner, `${path}.`) : [])];
  });
}

/** What a value may be, in words. */
function typeText(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `list, each ${typeText(schema.items ?? {})}`;
  return [schema.type ?? 'anything', ...limits(schema)].join(' ');
}

function limits({ minimum, maximum, maxLength, pattern }: JsonSchema): string[] {
  if (minimum !== undefined && maximum !== undefined) return [`${minimum}…${maximum}`];
  if (minimum !== undefined) return [`from ${minimum}`];
  if (maxLength !== undefined) return [`of at most ${maxLength} characters`];
  return pattern === undefined ? [] : [`like ${pattern}`];
}
