import {
  type AsyncApiDocument,
  type Channel,
  type ChannelOperation,
  type Message,
  type Reference,
  referredName,
} from './asyncapi-document.ts';
import { fieldTable } from './field-table.ts';
import { searchWords } from './guide-page.ts';
import { type Html, html } from './html.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { pageLayout } from './page-layout.ts';
import { PAGES } from './pages.ts';
import { quickStart } from './quick-start.ts';
import { eventSections, recordSections, restNavigation, restSections } from './rest-sections.ts';

/** The whole page, made of the two documents alone; needs nothing from any other host. */
export function docsPage(document: AsyncApiDocument, rest: OpenApiDocument): string {
  const { info } = rest;
  const channels = Object.keys(document.channels);
  return pageLayout({
    title: info.title,
    navigation: navigation(document, rest),
    main: html`<h1 id="top">${info.title}</h1>
<p class="soft">Version ${info.version} · <a href="openapi.json">openapi.json</a> (OpenAPI 3.1) · <a href="asyncapi.json">asyncapi.json</a> (AsyncAPI 3), for tools and code generators</p>
${paragraphs(info.description)}
${quickStart(rest.servers[0]?.url ?? '')}
${addresses(rest)}
${authentication(document)}
${restSections(rest)}
<section>
<h2 id="websockets"><a href="#websockets">Websockets</a></h2>
${paragraphs(document.info.description)}
</section>
${channels.map((name) => channelSection(document, name))}
${sharedSchemas(document)}
${eventSections(rest)}
${recordSections(rest)}
${errorSection(document, rest)}`,
  });
}

function paragraphs(text: string): Html {
  return html`${text.split('\n').map((paragraph) => html`<p>${paragraph}</p>\n`)}`;
}

function addresses({ servers }: OpenApiDocument): Html {
  return html`<h2 id="addresses"><a href="#addresses">Addresses</a></h2>
<div class="wide"><table><tbody>${servers.map(
    ({
      url,
      description,
    }) => html`<tr><th scope="row"><code>${url}</code></th><td>${description}</td></tr>
`,
  )}</tbody></table></div>`;
}

function navigation(document: AsyncApiDocument, rest: OpenApiDocument): Html {
  const channels = Object.entries(document.channels).map(([name, { title }]) => {
    const entries = operationsOf(document, name).flatMap(({ action, messages }) =>
      messages.map((message) => navigationEntry(document, name, message, action)),
    );
    return html`<li><a href="#${name}">${title}</a><ul>
${entries}</ul></li>
`;
  });
  const shared = sharedSchemaNames(document).map(
    (name) => html`<li><a href="#${name}">${spaced(name)}</a></li>\n`,
  );
  const pages = PAGES.map(
    (page) =>
      html`<li data-words="${searchWords(page)}"><a href="docs/${page.name}">${page.title}</a></li>\n`,
  );
  return html`<nav aria-label="Contents"><ul>
<li><a href="#top">Overview</a></li>
<li><a href="#start">Quick start</a></li>
<li><a href="#pages">Pages</a><ul>
${pages}</ul></li>
<li><a href="#addresses">Addresses</a></li>
<li><a href="#authentication">API key</a></li>
${restNavigation(rest)}<li><a href="#websockets">Websockets</a></li>
${channels}${shared}<li><a href="#errors">Errors</a></li>
</ul></nav>`;
}

function navigationEntry(
  document: AsyncApiDocument,
  channel: string,
  message: Reference,
  action: string,
): Html {
  const { title } = messageOf(document, message);
  const id = messageAnchor(channel, message);
  return html`<li class="${action}"><a href="#${id}">${title}</a></li>\n`;
}

function authentication({ components }: AsyncApiDocument): Html {
  const rows = Object.values(components.securitySchemes).map(
    ({ type, in: place, name, description }) => html`<tr>
<th scope="row">${place ?? 'header'}</th>
<td><code>${type === 'http' ? 'Authorization: Bearer …' : `${name}${place === 'query' ? '=' : ': '}…`}</code></td>
<td>${description}</td></tr>
`,
  );
  return html`<h2 id="authentication"><a href="#authentication">API key</a></h2>
<p>HTTP routes read the key from the header xi-api-key alone; websockets from any of these places, or from the first frame.</p>
<div class="wide"><table><tbody>${rows}</tbody></table></div>`;
}

function channelSection(document: AsyncApiDocument, name: string): Html {
  const channel = document.channels[name] as Channel;
  return html`<section>
<h2 id="${name}"><a href="#${name}">${channel.title}</a></h2>
<p>${channel.summary}</p>
${connectExample(document, channel)}
${Object.entries(channel.parameters).map(([parameter, { description }]) => html`<p><code>{${parameter}}</code> ${description}</p>\n`)}
<h3 id="${name}-query"><a href="#${name}-query">Query parameters</a></h3>
${fieldTable(channel.bindings.ws.query)}
${operationsOf(document, name).map((operation) => operationSection(document, name, operation))}
</section>`;
}

function connectExample({ servers }: AsyncApiDocument, { address, bindings }: Channel): Html {
  const [server] = Object.values(servers);
  const base = server ? `${server.protocol}://${server.host}${server.pathname ?? ''}` : '';
  const path = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const hasFormat = bindings.ws.query.properties?.['output_format'] !== undefined;
  const url = `${base}${path}${hasFormat ? '?output_format=ulaw_8000' : ''}`;
  return html`<pre><code>npx wscat -H "xi-api-key: $SIDETONE_API_KEY" -c "${url}"</code></pre>`;
}

function operationSection(
  document: AsyncApiDocument,
  channel: string,
  operation: ChannelOperation,
): Html {
  const { action } = operation;
  const id = `${channel}-${action}`;
  const heading = action === 'receive' ? 'What a client sends' : 'What the server sends';
  return html`<h3 id="${id}" class="${action}"><a href="#${id}">${heading}</a></h3>
${operation.messages.map((message) => messageSection(document, channel, message))}`;
}

/** Channels may have messages in common. */
function messageAnchor(channel: string, message: Reference): string {
  return `${channel}-${referredName(message)}`;
}

function messageSection(document: AsyncApiDocument, channel: string, reference: Reference): Html {
  const name = messageAnchor(channel, reference);
  const message = messageOf(document, reference);
  return html`<article>
<h4 id="${name}"><a href="#${name}">${message.title}</a></h4>
<p>${message.summary}</p>
${payloadFields(document, message)}
${message.examples.map(({ summary, payload }) => html`<p class="example">${summary}</p>\n<pre><code>${JSON.stringify(payload)}</code></pre>\n`)}
</article>`;
}

/** A schema that many messages share has a section of its own. */
function payloadFields(document: AsyncApiDocument, { payload }: Message): Html {
  if ('$ref' in payload) return schemaTable(document, referredName(payload));
  const name = referredName(payload.allOf[0]);
  return html`<p class="soft">Fields: <a href="#${name}">${spaced(name)}</a></p>`;
}

function sharedSchemas(document: AsyncApiDocument): Html[] {
  return sharedSchemaNames(document).map(
    (name) => html`<section>
<h2 id="${name}"><a href="#${name}">${spaced(name)}</a></h2>
<p>Every field may be left out or null; fields that are not listed are ignored.</p>
${schemaTable(document, name)}
</section>`,
  );
}

function sharedSchemaNames({ components }: AsyncApiDocument): string[] {
  const shared = Object.values(components.messages).flatMap(({ payload }) =>
    '$ref' in payload ? [] : [referredName(payload.allOf[0])],
  );
  return [...new Set(shared)];
}

function schemaTable({ components }: AsyncApiDocument, name: string): Html {
  return fieldTable(components.schemas[name] ?? {});
}

function errorSection(document: AsyncApiDocument, rest: OpenApiDocument): Html {
  const httpNames = new Map(rest['x-errors'].map(({ error, status }) => [error, status]));
  const rows = document['x-errors'].map(
    ({ error, close, http, retry }) => html`<tr id="error-${error}">
<th scope="row"><code>${error}</code></th><td data-label="Close code">${close}</td><td data-label="HTTP status">${http}</td>
<td data-label="Status on HTTP"><code>${httpNames.get(error) ?? error}</code></td>
<td data-label="Worth a retry">${retry ? 'yes' : 'no'}</td></tr>
`,
  );
  return html`<section>
<h2 id="errors"><a href="#errors">Errors</a></h2>
<p>The message of an error says what to do. The last column tells whether the same request may succeed later.</p>
<div class="wide"><table>
<thead><tr><th>error</th><th>Close code</th><th>HTTP status</th><th><code>status</code> on HTTP</th><th>Worth a retry</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}

function operationsOf({ operations }: AsyncApiDocument, channel: string): ChannelOperation[] {
  return Object.values(operations).filter(
    (operation) => referredName(operation.channel) === channel,
  );
}

function messageOf({ components }: AsyncApiDocument, reference: Reference): Message {
  return components.messages[referredName(reference)] as Message;
}

/** `ClientFrame` as a heading has it: `Client frame`. */
function spaced(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
