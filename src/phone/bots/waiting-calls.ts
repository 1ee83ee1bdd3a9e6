import type { CallBoard } from '../calls/call-board.ts';

/** What bots see of the calls that are going on: an account its own. */
export type WaitingCalls = Pick<CallBoard, 'waiting' | 'watch' | 'attach'>;
