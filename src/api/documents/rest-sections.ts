import type { JsonSchema } from '../wire/json-schema.ts';
import { curlExample } from './curl-example.ts';
import { fieldTable, schemaAnchor, typeText } from './field-table.ts';
import { type Html, html } from './html.ts';
import {
  METHODS,
  type Method,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from './openapi-document.ts';

interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
}

/** The part of the page's contents that is about the HTTP routes. */
export function restNavigation(document: OpenApiDocument): Html {
  const groups = document.tags.map(({ name }) => {
    const entries = endpointsOf(document, name).map(
      ({ operation }) =>
        html`<li><a href="#${operation.operationId ?? ''}">${operation.summary}</a></li>\n`,
    );
    return html`<li><a href="#${tagAnchor(name)}">${name}</a><ul>
${entries}</ul></li>
`;
  });
  return html`${groups}<li><a href="#events">Webhook events</a></li>
<li><a href="#records">Records</a></li>
`;
}

/** Every route, by its group. */
export function restSections(document: OpenApiDocument): Html {
  const baseUrl = document.servers[0]?.url ?? '';
  return html`${document.tags.map(
    ({ name }) => html`<section>
<h2 id="${tagAnchor(name)}"><a href="#${tagAnchor(name)}">${name}</a></h2>
${endpointsOf(document, name).map((endpoint) => endpointSection(baseUrl, endpoint))}
</section>
`,
  )}`;
}

/** What is sent to the callers' own servers. */
export function eventSections({ webhooks }: OpenApiDocument): Html {
  return html`<section>
<h2 id="events"><a href="#events">Webhook events</a></h2>
${Object.entries(webhooks).map(
  ([type, { post }]) => html`<article>
<h3 id="event-${type}"><a href="#event-${type}">${type}</a></h3>
<p>${post.summary}</p>
${bodySection(post)}
</article>
`,
)}</section>`;
}

/** The schemas that have a name of their own. */
export function recordSections({ components }: OpenApiDocument): Html {
  return html`<section>
<h2 id="records"><a href="#records">Records</a></h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article>
<h3 id="${schemaAnchor(name)}"><a href="#${schemaAnchor(name)}">${name}</a></h3>
${schemaSection(schema)}
</article>
`,
)}</section>`;
}

function endpointSection(baseUrl: string, { method, path, operation }: Endpoint): Html {
  const { operationId = '', summary, description, security = [], parameters = [] } = operation;
  return html`<article>
<h3 id="${operationId}"><a href="#${operationId}">${summary}</a></h3>
<p class="endpoint"><strong>${method.toUpperCase()}</strong> <code>${path}</code></p>
${description === undefined ? '' : html`<p>${description}</p>`}
${security.length === 0 ? html`<p class="soft">Needs no key.</p>` : ''}
<pre><code>${curlExample(baseUrl, method, path, operation)}</code></pre>
${parameters.length > 0 ? parameterTable(parameters) : ''}
${bodySection(operation)}
${responseTable(operation)}
</article>
`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  const named = parameters.map(({ name, schema, description, ...parameter }) => {
    const label = parameter.in === 'query' ? name : `${name} (${parameter.in})`;
    return [label, { ...schema, ...(description !== undefined && { description }) }] as const;
  });
  const required = parameters
    .filter((parameter) => parameter.required)
    .map(({ name, ...parameter }) =>
      parameter.in === 'query' ? name : `${name} (${parameter.in})`,
    );
  return html`<h4>Parameters</h4>
${fieldTable({ properties: Object.fromEntries(named), required })}`;
}

function bodySection({ requestBody }: Operation): Html {
  const [body] = Object.entries(requestBody?.content ?? {});
  if (!body) return html``;
  const [type, { schema }] = body;
  return html`<h4>Body <small>${type}</small></h4>
${schemaSection(schema)}`;
}

function schemaSection(schema: JsonSchema): Html {
  if (!schema.properties) return html`<p>${typeText(schema)}</p>`;
  return html`${schema.description === undefined ? '' : html`<p>${schema.description}</p>`}
${fieldTable(schema)}`;
}

function responseTable({ responses }: Operation): Html {
  const rows = Object.entries(responses).map(
    ([status, { description, content = {} }]) => html`<tr>
<th scope="row">${status}</th><td>${description} ${contentText(status, content)}</td></tr>
`,
  );
  return html`<h4>Answers</h4>
<div class="wide"><table><tbody>${rows}</tbody></table></div>`;
}

/** The shapes of refusals are the same everywhere, and told once. */
function contentText(
  status: string,
  content: Readonly<Record<string, { readonly schema: JsonSchema }>>,
): Html {
  if (!status.startsWith('2')) return html``;
  const kinds = Object.entries(content).map(([type, { schema }]) => {
    if (type !== 'application/json') return html` <code>${type}</code>`;
    return schema.properties ? fieldTable(schema) : html` ${typeText(schema)}`;
  });
  return html`${kinds}`;
}

function endpointsOf({ paths }: OpenApiDocument, tag: string): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation?.tags?.includes(tag) ? [{ method, path, operation }] : [];
    }),
  );
}

function tagAnchor(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(/\W+/g, '-')}`;
}
