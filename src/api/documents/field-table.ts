import type { JsonSchema } from '../wire/json-schema.ts';
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

/** What a value may be, in words; of a schema with a name, the name. */
export function typeText(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref);
  if (schema.anyOf) return joined(schema.anyOf.map(typeText), ' or ');
  if (schema.enum) return html`${schema.enum.map(String).join(', ')}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.type === undefined && schema.contentMediaType !== undefined) {
    return html`file: ${schema.contentMediaType}`;
  }
  const [type = 'anything', ...others] = [schema.type ?? []].flat();
  const name = type === 'array' ? html`list, each ${typeText(schema.items ?? {})}` : html`${type}`;
  return html`${joined([name, ...limits(schema)], ' ')}${others.map((other) => ` or ${other}`)}`;
}

/** The anchor of a named schema. */
export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

function schemaLink(reference: string): Html {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
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
    const item = field.items?.properties ? field.items : undefined;
    const inner = [field, ...(field.anyOf ?? [])].find((part) => part.properties);
    return [
      { path, schema: field, isOptional },
      ...(inner ? fieldsOf(inner, `${path}.`) : []),
      ...(item ? fieldsOf(item, `${path}[].`) : []),
    ];
  });
}

function limits({ minimum, maximum, maxLength, pattern }: JsonSchema): string[] {
  if (minimum !== undefined && maximum !== undefined) return [`${minimum}…${maximum}`];
  if (minimum !== undefined) return [`from ${minimum}`];
  if (maxLength !== undefined) return [`of at most ${maxLength} characters`];
  return pattern === undefined ? [] : [`like ${pattern}`];
}

function joined(parts: ReadonlyArray<Html | string>, separator: string): Html {
  return html`${parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))}`;
}
