import { build } from '../../models/setup/build.mjs';

/** Thread entries run from `dist` even when the rest of a test runs from source, so `dist` must be fresh. */
export async function setup(): Promise<void> {
  await build();
}
