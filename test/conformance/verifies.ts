import { test } from 'vitest';
import { REQUIREMENTS, type RequirementId } from './requirements.ts';

/**
 * A conformance scenario: a test that cites the requirements it shows. `coverage.test.ts` fails when
 * a requirement is cited nowhere.
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  scenario: () => Promise<void> | void,
): void {
  const cited = [ids].flat();
  for (const id of cited) {
    if (!(id in REQUIREMENTS)) throw new Error(`There is no requirement "${id}".`);
  }
  test(`${title} [${cited.join(', ')}]`, scenario);
}
