import type { YamlComplaint, YamlPath } from '../../lines/yaml-complaint.ts';
import type { WrittenMenu, WrittenState } from './menu-schemas.ts';

/** What a schema cannot say of a menu: that its names lead somewhere, and its calls to an end. */
export function* menuComplaints(menu: WrittenMenu): Generator<YamlComplaint> {
  for (const { path, target } of targets(menu)) {
    if (Object.hasOwn(menu.states, target)) continue;
    const known = Object.keys(menu.states).join(', ');
    yield { path, message: `leads to "${target}", which is no state. States are ${known}.` };
  }
  for (const [name, state] of Object.entries(menu.states)) {
    const path = ['states', name];
    yield* stepComplaints(state, path);
    yield* collectComplaints(state.collect, [...path, 'collect']);
    if (isSilentLoop(menu, name)) {
      yield { path, message: 'leads back to itself without saying or asking anything.' };
    }
  }
}

interface Target {
  readonly path: YamlPath;
  readonly target: string;
}

function* targets(menu: WrittenMenu): Generator<Target> {
  if (menu.start !== undefined) yield { path: ['start'], target: menu.start };
  yield* setbackTargets(menu, []);
  for (const [name, state] of Object.entries(menu.states)) {
    const path = ['states', name];
    if (state.goto !== undefined) yield { path: [...path, 'goto'], target: state.goto };
    for (const [key, target] of Object.entries(state.keys ?? {})) {
      yield { path: [...path, 'keys', key], target };
    }
    if (typeof state.transfer === 'object' && state.transfer.failed !== undefined) {
      yield { path: [...path, 'transfer', 'failed'], target: state.transfer.failed };
    }
    yield* setbackTargets(state, path);
  }
}

function* setbackTargets(
  { timeout, invalid }: Pick<WrittenState, 'timeout' | 'invalid'>,
  path: YamlPath,
): Generator<Target> {
  if (timeout?.goto !== undefined)
    yield { path: [...path, 'timeout', 'goto'], target: timeout.goto };
  if (invalid?.goto !== undefined)
    yield { path: [...path, 'invalid', 'goto'], target: invalid.goto };
}

/** Each state does one thing; only `collect` needs `goto` besides. */
function* stepComplaints(state: WrittenState, path: YamlPath): Generator<YamlComplaint> {
  const steps = (['keys', 'collect', 'transfer', 'hang_up'] as const).filter(
    (step) => state[step] !== undefined,
  );
  const [step] = steps;
  if (steps.length > 1 || (step !== undefined && step !== 'collect' && state.goto !== undefined)) {
    const found = [...steps, ...(state.goto === undefined ? [] : ['goto'])].join(' and ');
    yield { path, message: `has ${found}, and can do only one of them.` };
  }
  if (step === undefined && state.goto === undefined) {
    yield { path, message: 'leads nowhere. Add keys, collect, goto, transfer or hang_up.' };
  }
  if (step === 'collect' && state.goto === undefined) {
    yield { path, message: 'collects digits, and lacks the goto that says what then.' };
  }
  const waits = step === 'keys' || step === 'collect';
  for (const field of ['timeout_s', 'timeout', 'invalid'] as const) {
    if (!waits && state[field] !== undefined) {
      yield { path: [...path, field], message: 'is of no use: the state waits for no key.' };
    }
  }
}

function* collectComplaints(
  collect: WrittenState['collect'],
  path: YamlPath,
): Generator<YamlComplaint> {
  if (!collect) return;
  const { digits, min_digits: min, max_digits: max, end_key: endKey } = collect;
  if (digits !== undefined && (min !== undefined || max !== undefined)) {
    yield { path, message: 'must have either digits, or min_digits and max_digits.' };
  }
  if (min !== undefined && max !== undefined && min > max) {
    yield { path, message: 'has min_digits above max_digits.' };
  }
  if (endKey !== undefined && /[0-9]/.test(endKey)) {
    yield { path: [...path, 'end_key'], message: 'must not be a digit, which is collected.' };
  }
}

function isSilentLoop({ states }: WrittenMenu, start: string): boolean {
  const seen = new Set<string>();
  let name: string | undefined = start;
  while (name !== undefined && !seen.has(name)) {
    seen.add(name);
    const state: WrittenState | undefined = states[name];
    const isSilent: boolean = state?.say === undefined && !state?.keys && !state?.collect;
    name = isSilent ? state?.goto : undefined;
    if (name === start) return true;
  }
  return false;
}
