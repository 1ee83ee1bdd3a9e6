import type { CallRegistry } from '../calls/call-registry.ts';

/** What bots see of the calls that are going on: an account its own. */
export type WaitingCalls = Pick<CallRegistry, 'waiting' | 'watch' | 'attach'>;
