import type { Scope, TokenPurpose } from '../../domain/account.ts';
import type { ErrorCode } from '../../domain/errors.ts';

import type { Door } from './key-places.ts';

/** A route that wants a key, or something that stands in for one. */
export interface KeyAccess {
  /** What the key must be allowed to do. */
  readonly scope: Scope;
  /** Which places are searched for the key; `rest` unless given. */
  readonly door?: Door;
  /** What a single-use token may be for, where the route takes one in place of a key. */
  readonly tokens?: readonly TokenPurpose[];
  /**
   * `required` unless given: without a valid key the request is refused before its body is read.
   * `optional`: callers without a key are let in as nobody; a wrong key is refused all the same.
   * `later`: the route itself calls `request.identify`, because it must read something first: the
   * first message of a websocket, or a body that is signed.
   */
  readonly key?: 'required' | 'optional' | 'later';
  /** Whether only keys of the operator's own account are let in. */
  readonly operator?: true;
  /** How a caller without any key is told so, where that differs from other routes. */
  readonly withoutKey?: { readonly code?: ErrorCode; readonly message?: string };
}

/**
 * Who may call a route. `public` is anybody; `probe` is anybody too, at any rate: for the health
 * checks of load balancers, which must not fail because a neighbour of theirs is noisy.
 */
export type Access = 'public' | 'probe' | KeyAccess;
