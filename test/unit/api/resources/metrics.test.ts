import { describe, expect, it } from 'vitest';
import { CONFIGURED_SECRET, openApi } from './api-harness.ts';

const KEY = { 'xi-api-key': CONFIGURED_SECRET };

describe('GET /metrics', () => {
  it.each([
    ['open', 200, 200],
    ['key', 401, 200],
    ['off', 404, 404],
  ] as const)('set to %s answers %i without a key and %i with one', async (access, bare, keyed) => {
    const { app } = await openApi({ metricsAccess: access });
    expect((await app.inject('/metrics')).statusCode).toBe(bare);
    expect((await app.inject({ url: '/metrics', headers: KEY })).statusCode).toBe(keyed);
  });
});
