import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AsyncApiDocument } from '../../src/api/documents/asyncapi-document.ts';
import type { OpenApiDocument } from '../../src/api/documents/openapi-document.ts';
import type { App } from '../../src/app.ts';
import { errorTable } from '../../src/domain/errors.ts';
import { operationsOf, problemsOf } from '../support/openapi-checks.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';

let app: App;
let url: string;
let page: string;
let policy: string;
let sockets: AsyncApiDocument;
let rest: OpenApiDocument;

beforeAll(async () => {
  app = await startRealServer();
  url = app.url;
  sockets = (await (await fetch(`${url}/asyncapi.json`)).json()) as AsyncApiDocument;
  rest = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const response = await fetch(`${url}/docs`);
  policy = response.headers.get('content-security-policy') ?? '';
  page = await response.text();
});
afterAll(() => app.close());

const all = (pattern: RegExp) => [...page.matchAll(pattern)].map((match) => match[1] ?? '');
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** What a path answers to a request with these headers, `host` included. */
async function get(path: string, headers: Record<string, string>): Promise<string> {
  const [response] = (await once(request(url + path, { headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return body;
}

describe('the documents', () => {
  it('describe the server as the caller reached it', () => {
    const { host } = new URL(url);
    expect(sockets.servers['sidetone']).toMatchObject({ protocol: 'ws', host });
    expect(rest.servers).toEqual([{ url, description: 'This server.' }]);
  });

  it.each([
    [{ host: 'speech.example', 'x-forwarded-proto': 'https' }, 's://speech.example'],
    [{ host: 'speech.example:8080' }, '://speech.example:8080'],
    [{ host: '"><script>alert(1)</script>' }, '://localhost'],
  ])('do so with the headers %j', async (headers, base) => {
    expect(JSON.parse(await get('/openapi.json', headers)).servers[0].url).toBe(`http${base}`);
    const { protocol, host } = JSON.parse(await get('/asyncapi.json', headers)).servers.sidetone;
    expect(`${protocol}://${host}`).toBe(`ws${base}`);
    const shown = await get('/docs', headers);
    expect(shown).toContain(`ws${base}/v1/text-to-speech/VOICE_ID/stream-input`);
    expect(shown).toContain(`http${base}/v1/text-to-speech/VOICE_ID`);
    expect(shown).not.toContain('alert(1)');
  });

  it('hold for every route of the whole server', () => {
    expect(problemsOf(rest)).toEqual([]);
    const paths = Object.keys(rest.paths);
    expect(paths).toContain('/v1/text-to-speech/{voice_id}/stream/with-timestamps');
    expect(paths.filter((path) => path.endsWith('stream-input'))).toEqual([]);
  });

  it('name the scope that each route needs a key to have', () => {
    const guarded = operationsOf(rest).filter(({ operation }) => operation.security?.length);
    expect(guarded.length).toBeGreaterThan(40);
  });
});

describe('GET /docs', () => {
  it('is a page that loads nothing', () => {
    expect(page).toMatch(/^<!doctype html>/);
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page).not.toMatch(/@import|url\(/);
    const loaded = [...all(/\ssrc="([^"]*)"/g), ...all(/\shref="([^"]*)"/g)];
    expect(
      loaded.filter(
        (target) => !/^(#|data:,$|docs\/[a-z-]+$|(asyncapi|openapi)\.json$)/.test(target),
      ),
    ).toEqual([]);
  });

  it('begins with a quick start and speech', () => {
    const sections = all(/<h2 id="([^"]+)"/g);
    expect(sections[0]).toBe('start');
    expect(sections.find((id) => id.startsWith('tag-'))).toBe('tag-text-to-speech');
  });

  it('allows its own style and script, and no other', () => {
    const inline = [...all(/<style>(.*?)<\/style>/gs), ...all(/<script>(.*?)<\/script>/gs)];
    expect(inline).toHaveLength(2);
    for (const text of inline) {
      const hash = createHash('sha256').update(text).digest('base64');
      expect(policy).toContain(`'sha256-${hash}'`);
    }
    expect(page).not.toMatch(/\s(on\w+|style)=/);
  });

  it('has an anchor for everything that it links to', () => {
    const ids = all(/\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = all(/href="#([^"]+)"/g);
    expect(targets.length).toBeGreaterThan(30);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it('closes every element that it opens', () => {
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (['meta', 'link'].includes(name)) continue;
      if (slash) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  it('shows every message, with its examples', () => {
    for (const { title, summary, examples } of Object.values(sockets.components.messages)) {
      for (const text of [title, summary]) expect(page).toContain(escaped(text));
      for (const { payload } of examples) expect(page).toContain(escaped(JSON.stringify(payload)));
    }
  });

  it('shows every field and parameter of the websockets, with its meaning', () => {
    const queries = Object.values(sockets.channels).map(({ bindings }) => bindings.ws.query);
    const schemas = [...queries, ...Object.values(sockets.components.schemas)];
    const fields = schemas.flatMap(({ properties = {} }) => Object.entries(properties));
    for (const [name, { description }] of fields) {
      expect(page).toContain(`<code>${name}</code>`);
      if (description !== undefined) expect(page).toContain(escaped(description));
    }
    expect(page).toContain('<code>voice_settings.speed</code>');
  });

  it('shows every route: its address, parameters, body, answers and a command', () => {
    for (const { method, path, operation } of operationsOf(rest)) {
      const { operationId = '', summary, parameters = [], requestBody, responses } = operation;
      const section = page.split(`<h3 id="${operationId}">`)[1]?.split('</article>')[0] ?? '';
      expect(section).toContain(escaped(summary));
      expect(section).toContain(`<strong>${method.toUpperCase()}</strong> <code>${path}</code>`);
      expect(section).toContain(
        `${url}${path.replace(/\{(\w+)\}/g, (_, name) => name.toUpperCase())}`,
      );
      const [body] = Object.values(requestBody?.content ?? {});
      const fields = [...parameters, ...Object.keys(body?.schema.properties ?? {})];
      for (const field of fields) {
        const name = typeof field === 'string' ? field : field.name;
        expect(section).toContain(`<code>${name}`);
      }
      for (const status of Object.keys(responses)) expect(section).toContain(`>${status}</th>`);
      expect(section.includes('$SIDETONE_API_KEY')).toBe(operation.security?.length !== 0);
    }
  });

  it('shows every record and every event', () => {
    for (const [name, { properties = {} }] of Object.entries(rest.components.schemas)) {
      const section = page.split(`id="schema-${name}"`)[1]?.split('</article>')[0] ?? '';
      for (const field of Object.keys(properties))
        expect(section).toContain(`<code>${field}</code>`);
    }
    for (const type of Object.keys(rest.webhooks)) expect(page).toContain(`id="event-${type}"`);
  });

  it('has commands that a shell reads as they are meant', () => {
    const commands = all(/<code>(curl [^<]*)<\/code>/g).map(unescaped);
    expect(commands).toHaveLength(operationsOf(rest).length);
    const script = commands.map((command) => `${command}; printf '\\n'`).join('\n');
    const shell = `curl() { printf '%s\\037' "$@"; }\n${script}`;
    const printed = execFileSync('sh', ['-c', shell], { encoding: 'utf8' });
    const lines = printed.trimEnd().split('\n');
    expect(lines).toHaveLength(commands.length);
    for (const line of lines) {
      const words = line.split('\u001f').slice(0, -1);
      expect(words.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
      const body = words[words.indexOf('-d') + 1] ?? '';
      if (words.includes('-d')) expect(() => JSON.parse(body)).not.toThrow();
    }
  });

  it('names what HTTP calls an error', () => {
    const row = page.split('id="error-voice_id_does_not_exist"')[1]?.split('</tr>')[0];
    expect(row).toContain('<code>voice_not_found</code>');
  });

  it('shows every error, and no key', () => {
    for (const [code] of errorTable()) expect(page).toContain(`<code>${code}</code>`);
    expect(page).not.toContain(REAL_KEY);
  });
});

describe('GET /docs/{page}', () => {
  const pages = () => all(/href="docs\/([a-z-]+)"/g);
  const textOf = async (path: string) => (await fetch(`${url}${path}`)).text();

  it('shows each page that the first one links to, and nothing else', async () => {
    expect(pages().length).toBeGreaterThan(8);
    for (const name of pages()) {
      const response = await fetch(`${url}/docs/${name}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toBe(policy);
      expect(await response.text()).toMatch(/<h1 id="[^"]+">/);
    }
    expect((await fetch(`${url}/docs/__proto__`)).status).toBe(404);
  });

  it('links to pages and headings that there are', async () => {
    const ids = new Set<string>();
    const targets: string[] = [];
    for (const name of pages()) {
      const text = await textOf(`/docs/${name}`);
      ids.add(name);
      for (const [, id] of text.matchAll(/ id="([^"]+)"/g)) ids.add(`${name}#${id}`);
      for (const [, target = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
        targets.push(target.startsWith('#') ? name + target : target);
      }
    }
    const within = targets.filter((target) => !/^https:|^\.\.\/docs$/.test(target));
    expect(within.length).toBeGreaterThan(100);
    expect(within.filter((target) => !ids.has(target))).toEqual([]);
  });

  it('escapes what looks like HTML', async () => {
    const carriers = await textOf('/docs/carriers');
    expect(carriers).toContain('&lt;Parameter name=&quot;api_key&quot;&gt;');
    expect(carriers).not.toContain('<Parameter');
  });

  it('is not sent again to a reader who has it', async () => {
    const etag = (await fetch(`${url}/docs/errors`)).headers.get('etag') ?? '';
    const again = await fetch(`${url}/docs/errors`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});

describe('GET /', () => {
  const root = (accept: string) => fetch(`${url}/`, { headers: { accept }, redirect: 'manual' });

  it('sends people to the documents, and tells programs that nothing is there', async () => {
    const people = await root('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([people.status, people.headers.get('location')]).toEqual([302, 'docs']);
    const programs = await root('*/*');
    expect(programs.status).toBe(404);
    expect(await programs.json()).toMatchObject({ detail: { status: 'not_found' } });
  });
});
