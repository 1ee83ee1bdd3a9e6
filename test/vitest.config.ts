import { defineConfig } from 'vitest/config';

const project = (name: string, extra: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...extra },
});

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    globalSetup: ['test/support/build-before-tests.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      project('architecture'),
      // Unit tests share their modules: loading them anew for each file takes longer than the tests.
      project('unit', { isolate: false }),
      project('contract', { pool: 'forks' }),
      project('conformance', { pool: 'forks' }),
      project('integration', { pool: 'forks' }),
    ],
  },
});
