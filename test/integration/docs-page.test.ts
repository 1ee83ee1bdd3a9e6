import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsRoutes } from '../../src/api/docs.ts';
import { openHttp } from '../../src/api/open-http.ts';
import { errorTable } from '../../src/domain/errors.ts';
import { asyncApiDocument } from '../../src/stream/asyncapi.ts';

const described = asyncApiDocument('http://127.0.0.1', '1.2.3');
const app = openHttp(pino({ level: 'silent' }));
docsRoutes(app, (baseUrl) => asyncApiDocument(baseUrl, '1.2.3'));
let url: string;
let page: string;
let policy: string;

beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 });
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

describe('GET /asyncapi.json', () => {
  it('describes the server as the caller reached it', async () => {
    const response = await fetch(`${url}/asyncapi.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    const host = new URL(url).host;
    expect(await response.json()).toEqual(
      JSON.parse(JSON.stringify(asyncApiDocument(`http://${host}`, '1.2.3'))),
    );
  });

  it.each([
    [{ host: 'speech.example', 'x-forwarded-proto': 'https' }, 'wss', 'speech.example'],
    [{ host: 'speech.example:8080' }, 'ws', 'speech.example:8080'],
    [{ host: '"><script>alert(1)</script>' }, 'ws', 'localhost'],
  ])('with the headers %j', async (headers, protocol, host) => {
    const reply = await app.inject({ url: '/asyncapi.json', headers });
    expect(reply.json().servers.sidetone).toMatchObject({ protocol, host });
    const shown = await app.inject({ url: '/docs', headers });
    expect(shown.body).toContain(`${protocol}://${host}/v1/text-to-speech/VOICE_ID/stream-input`);
    expect(shown.body).not.toContain('alert(1)');
  });
});

describe('GET /docs', () => {
  it('is a page that loads nothing', () => {
    expect(page).toMatch(/^<!doctype html>/);
    expect(policy).toMatch(/^default-src 'none';/);
    expect(page).not.toMatch(/@import|url\(/);
    const loaded = [...all(/\ssrc="([^"]*)"/g), ...all(/\shref="([^"]*)"/g)];
    expect(loaded.filter((target) => !/^(#|data:,$|asyncapi\.json$)/.test(target))).toEqual([]);
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
    for (const { title, summary, examples } of Object.values(described.components.messages)) {
      for (const text of [title, summary]) expect(page).toContain(escaped(text));
      for (const { payload } of examples) expect(page).toContain(escaped(JSON.stringify(payload)));
    }
  });

  it('shows every field and parameter, with its meaning', () => {
    const { query } = described.channels.streamInput.bindings.ws;
    const schemas = [query, ...Object.values(described.components.schemas)];
    for (const [name, field] of schemas.flatMap(({ properties }) => Object.entries(properties))) {
      expect(page).toContain(`<code>${name}</code>`);
      if ('description' in field) expect(page).toContain(escaped(String(field.description)));
    }
    expect(page).toContain('<code>voice_settings.speed</code>');
  });

  it('shows every error', () => {
    for (const [code] of errorTable()) expect(page).toContain(`<code>${code}</code>`);
  });
});
