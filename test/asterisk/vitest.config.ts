import { defineConfig } from 'vitest/config';

/** A suite of its own: it unpacks a Debian and calls in real time. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    name: 'asterisk',
    include: ['test/asterisk/*.test.ts'],
    globalSetup: ['test/support/build-before-tests.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
