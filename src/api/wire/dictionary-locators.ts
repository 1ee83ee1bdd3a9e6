import { Type } from 'typebox';
import type { DictionaryLocator } from '../../domain/dictionary.ts';
import { optionalField } from './optional-field.ts';

/** How requests on every wire name a pronunciation dictionary. */
export const LocatorSchema = Type.Object({
  pronunciation_dictionary_id: Type.String({ description: 'As POST add-from-rules returns it.' }),
  version_id: optionalField<string>('string', {
    description: 'One of its versions; the latest unless given.',
  }),
});
export type WireLocator = Type.Static<typeof LocatorSchema>;

/** @returns the dictionaries in the order in which they apply. */
export function readLocators(
  locators: readonly WireLocator[] | null | undefined,
): readonly DictionaryLocator[] {
  return (locators ?? []).map(({ pronunciation_dictionary_id: dictionaryId, version_id }) => ({
    dictionaryId,
    versionId: version_id || undefined,
  }));
}
