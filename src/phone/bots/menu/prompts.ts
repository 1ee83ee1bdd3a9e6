import { CALL_VARIABLES, type Placeholder, type Prompt } from './menu.ts';

const PLACEHOLDER = /\{([^{}]*)\}/;
const WRITTEN_PLACEHOLDER = /^([a-z][a-z0-9_]*)(?::(digits|number))?$/;
/** As people say numbers: three at a time, and four at the end. */
const GROUP = 3;
const LAST_GROUP = 4;

/**
 * @returns the parts of a text; what a caller typed is read digit by digit unless told otherwise, and
 *   the numbers of a call as the phone numbers that they are.
 * @throws Error that completes the sentence "{field} …" when there is a placeholder of no such form.
 */
export function parsePrompt(text: string): Prompt {
  return text
    .trim()
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 0 ? part : placeholder(part)))
    .filter((part) => part !== '');
}

function placeholder(written: string): Placeholder {
  const [, variable, reading] = WRITTEN_PLACEHOLDER.exec(written) ?? [];
  if (variable === undefined) {
    throw new Error(`has {${written}}, which is none of {name}, {name:digits} and {name:number}.`);
  }
  const usual = CALL_VARIABLES.includes(variable) ? 'number' : 'digits';
  return { variable, reading: (reading ?? usual) === 'digits' ? 'digits' : 'plain' };
}

/** @param values of the variables; one without a value is left out. */
export function renderPrompt(prompt: Prompt, values: ReadonlyMap<string, string>): string {
  return prompt
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = values.get(part.variable) ?? '';
      return part.reading === 'digits' ? digitByDigit(value) : value;
    })
    .join('');
}

/** Digits apart, with a pause between groups: every language reads them one by one then. */
function digitByDigit(value: string): string {
  let rest = value.replaceAll(/[^0-9]/g, '');
  const groups: string[] = [];
  while (rest.length > LAST_GROUP) {
    groups.push(rest.slice(0, GROUP));
    rest = rest.slice(GROUP);
  }
  return [...groups, rest].map((group) => [...group].join(' ')).join(', ');
}
