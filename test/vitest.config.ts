import { defineConfig } from 'vitest/config';

const project = (name: string, extra: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...extra },
});

/**
 * Suites over real processes, sockets and threads. What a starved machine upsets passes the second
 * time; what is broken fails twice.
 */
const real = { pool: 'forks', retry: 1 };

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    globalSetup: ['test/support/build-before-tests.ts'],
    // They guard against hanging alone: a machine that does other work besides takes many times longer.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    setupFiles: ['test/support/seeded-properties.ts'],
    projects: [
      project('architecture'),
      // Unit tests share their modules: loading them anew for each file takes longer than the tests.
      project('unit', { isolate: false }),
      project('contract', real),
      project('conformance', real),
      project('integration', real),
    ],
  },
});
