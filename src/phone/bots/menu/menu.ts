/** Text with the places that values are put into. */
export type Prompt = ReadonlyArray<string | Placeholder>;

export interface Placeholder {
  readonly variable: string;
  /** One digit after the other, or as it stands: as one number, or a phone number as such. */
  readonly reading: 'digits' | 'plain';
}

/** What is done when a caller does nothing, or something that leads nowhere. */
export interface RetryRule {
  /** Said before the state says its own again. */
  readonly say: Prompt;
  /** How often the state is tried again before it is left. */
  readonly retries: number;
  /** Where it is left to; without one, the call is ended. */
  readonly goto: string | undefined;
}

/** How long a state waits for a key, counted from the last word heard or the last key. */
export interface InputRules {
  readonly timeoutMs: number;
  readonly timeout: RetryRule;
  readonly invalid: RetryRule;
}

/** What a state comes to when it has been said. */
export type MenuStep =
  | {
      readonly type: 'keys';
      readonly keys: ReadonlyMap<string, string>;
      readonly inputRules: InputRules;
    }
  | {
      readonly type: 'collect';
      readonly variable: string;
      readonly minDigits: number;
      readonly maxDigits: number;
      readonly endKey: string | undefined;
      readonly goto: string;
      readonly inputRules: InputRules;
    }
  | { readonly type: 'goto'; readonly goto: string }
  | { readonly type: 'transfer'; readonly to: string; readonly failed: string | undefined }
  | { readonly type: 'hang-up' };

export interface MenuState {
  readonly say: Prompt;
  /** Whether a key that the state waits for is taken while it still speaks, which falls silent then. */
  readonly bargeIn: boolean;
  readonly step: MenuStep;
}

/** A checked menu: every name in it leads somewhere. */
export interface Menu {
  readonly start: string;
  readonly states: ReadonlyMap<string, MenuState>;
}

/** Every number that a menu passes callers on to. */
export function transferTargets({ states }: Menu): ReadonlySet<string> {
  const steps = [...states.values()].map(({ step }) => step);
  return new Set(steps.flatMap((step) => (step.type === 'transfer' ? [step.to] : [])));
}

/** Values that every call has, besides what its caller typed. */
export const CALL_VARIABLES: readonly string[] = ['from', 'to'];
