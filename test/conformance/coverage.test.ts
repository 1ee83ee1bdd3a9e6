import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

const scenarios = new URL('./scenarios/', import.meta.url);

test('every requirement is cited by a scenario', () => {
  const sources = readdirSync(scenarios).map((file) =>
    readFileSync(new URL(file, scenarios), 'utf8'),
  );
  const cited = new Set(sources.join('\n').match(/'[a-z]+(?::[a-z0-9-]+)+'/g));
  const uncited = Object.keys(REQUIREMENTS).filter((id) => !cited.has(`'${id}'`));
  expect(uncited).toEqual([]);
});
