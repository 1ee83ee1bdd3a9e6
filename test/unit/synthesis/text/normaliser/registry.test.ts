import { expect, it } from 'vitest';
import { normaliserFor } from '../../../../../src/synthesis/text/normaliser/registry.ts';

it('finds a normaliser by its language, and none for a language without', () => {
  expect(normaliserFor('en')?.language).toBe('en');
  expect(normaliserFor('xx')).toBeUndefined();
  expect(normaliserFor('constructor')).toBeUndefined();
});
