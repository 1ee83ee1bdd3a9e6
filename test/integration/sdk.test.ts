import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { startRealServer } from '../support/real-server.ts';
import { CALLS } from './sdk-calls.ts';
import { Scene } from './sdk-scene.ts';

/** Routes of the phone bridge and of other vendors' wires are not the SDK's, and have tests of their own. */
const OTHERS = /^\w+ \/(v1\/(calls|lines|speak)|tts|voices)(\/|$)/;

let app: App;

beforeAll(async () => {
  app = await startRealServer({
    SIDETONE_WEBHOOK_ALLOW: '127.0.0.1',
    SIDETONE_WEBHOOK_ALLOW_HTTP: 'true',
  });
});
afterAll(() => app.close());

/** Every route of the running server, as its own document has them. */
async function routes(): Promise<string[]> {
  const document = await (await fetch(`${app.url}/openapi.json`)).json();
  const { paths } = document as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

function fits(route: string, request: string): boolean {
  const pattern = route.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(request);
}

describe('the official SDK', () => {
  it.each(Object.entries(CALLS))('parses what it gets from %s', async (route, drive) => {
    const scene = new Scene(app);
    await drive(scene);
    expect(scene.requests.filter((request) => fits(route, request))).not.toEqual([]);
  });

  it('has been tried on every route that there is', async () => {
    const ours = (await routes()).filter((route) => !OTHERS.test(route));
    expect(Object.keys(CALLS).toSorted()).toEqual(ours.toSorted());
  });
});
