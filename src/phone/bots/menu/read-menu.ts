import { YamlFile } from '../../lines/checked-yaml.ts';
import type { YamlComplaint, YamlPath } from '../../lines/yaml-complaint.ts';
import {
  CALL_VARIABLES,
  type InputRules,
  type Menu,
  type MenuState,
  type MenuStep,
  type Prompt,
  type RetryRule,
} from './menu.ts';
import { menuComplaints } from './menu-complaints.ts';
import { MenuFileSchema, type WrittenMenu, type WrittenState } from './menu-schemas.ts';
import { parsePrompt } from './prompts.ts';

const DEFAULT_TIMEOUT_S = 8;
const DEFAULT_RETRIES = 2;
const DEFAULT_MAX_DIGITS = 20;
const DEFAULT_END_KEY = '#';

/**
 * @param text of a YAML file.
 * @param fileName as complaints call it.
 * @throws YamlError that names each fault with its line and field.
 */
export function readMenu(text: string, fileName: string): Menu {
  const yaml = new YamlFile(text, fileName);
  const written = yaml.read(MenuFileSchema);
  const complaints: YamlComplaint[] = [...menuComplaints(written)];
  if (complaints.length > 0) throw yaml.refusal(complaints);
  const reader = new MenuReader(written);
  const menu = reader.menu();
  if (reader.complaints.length > 0) throw yaml.refusal(reader.complaints);
  return menu;
}

/** Turns what is written into what is run, and notes prompts that cannot be read. */
class MenuReader {
  readonly complaints: YamlComplaint[] = [];
  readonly #written: WrittenMenu;
  readonly #variables: ReadonlySet<string>;

  constructor(written: WrittenMenu) {
    this.#written = written;
    const collected = Object.values(written.states).flatMap(({ collect }) => collect?.into ?? []);
    this.#variables = new Set([...CALL_VARIABLES, ...collected]);
  }

  menu(): Menu {
    const { start, states } = this.#written;
    const [first = ''] = Object.keys(states);
    return {
      start: start ?? first,
      states: new Map(
        Object.entries(states).map(([name, state]) => [name, this.#state(state, ['states', name])]),
      ),
    };
  }

  #state(state: WrittenState, path: YamlPath): MenuState {
    return {
      say: this.#prompt(state.say, [...path, 'say']),
      bargeIn: state.barge_in ?? this.#written.barge_in ?? true,
      step: this.#step(state, path),
    };
  }

  #step(state: WrittenState, path: YamlPath): MenuStep {
    const { keys, collect, goto = '', transfer } = state;
    if (keys) {
      const inputRules = this.#inputRules(state, path);
      return { type: 'keys', keys: new Map(Object.entries(keys)), inputRules };
    }
    if (collect) {
      const { into, digits, min_digits: min, max_digits: max, end_key: endKey } = collect;
      return {
        type: 'collect',
        variable: into,
        minDigits: digits ?? min ?? 1,
        maxDigits: digits ?? max ?? Math.max(DEFAULT_MAX_DIGITS, min ?? 1),
        endKey: endKey ?? DEFAULT_END_KEY,
        goto,
        inputRules: this.#inputRules(state, path),
      };
    }
    if (transfer !== undefined) {
      const { to, failed } = typeof transfer === 'string' ? { to: transfer } : transfer;
      return { type: 'transfer', to, failed };
    }
    return goto === '' ? { type: 'hang-up' } : { type: 'goto', goto };
  }

  #inputRules(state: WrittenState, path: YamlPath): InputRules {
    return {
      timeoutMs: 1000 * (state.timeout_s ?? this.#written.timeout_s ?? DEFAULT_TIMEOUT_S),
      timeout: this.#retryRule(state, 'timeout', path),
      invalid: this.#retryRule(state, 'invalid', path),
    };
  }

  #retryRule(state: WrittenState, kind: 'timeout' | 'invalid', path: YamlPath): RetryRule {
    const own = state[kind];
    const written = { ...this.#written[kind], ...own };
    const place = own?.say === undefined ? [kind, 'say'] : [...path, kind, 'say'];
    return {
      say: this.#prompt(written.say, place),
      retries: written.retries ?? DEFAULT_RETRIES,
      goto: written.goto,
    };
  }

  #prompt(text: string | undefined, path: YamlPath): Prompt {
    try {
      const prompt = parsePrompt(text ?? '');
      for (const part of prompt) if (typeof part !== 'string') this.#checkVariable(part.variable);
      return prompt;
    } catch (thrown) {
      this.complaints.push({ path, message: (thrown as Error).message });
      return [];
    }
  }

  #checkVariable(name: string): void {
    if (this.#variables.has(name)) return;
    throw new Error(
      `has {${name}}, which no state collects. There are ${[...this.#variables].join(', ')}.`,
    );
  }
}
