import { expect, it } from 'vitest';
import { settingsTable } from '../../../src/config.ts';
import { unknownSettings } from '../../../src/unknown-settings.ts';

it.each([
  ['SIDETONE_DRIAN_S', 'SIDETONE_DRAIN_S'],
  ['SIDETONE_APIKEY', 'SIDETONE_API_KEY'],
  ['SIDETONE_MAX_STREAM', 'SIDETONE_MAX_STREAMS'],
  ['SIDETONE_LINE', 'SIDETONE_LINES'],
  ['SIDETONE_DEFAULT_VOCIE', 'SIDETONE_DEFAULT_VOICE'],
])('%s is pointed out, with the setting that comes nearest', (variable, nearest) => {
  const sentences = unknownSettings({ [variable]: 'x', SIDETONE_URL: 'x' });
  expect(sentences).toEqual([`${variable} is no setting. Did you mean ${nearest}?`]);
});

it('says nothing of settings, and of variables that are not of Sidetone', () => {
  const known = settingsTable().map(({ variable }) => [variable, 'x']);
  const others = { SIDETONE_URL: 'x', SIDETONE_FETCH_FROM: 'x', PATH: 'x', SIDE: 'x' };
  expect(unknownSettings({ ...Object.fromEntries(known), ...others })).toEqual([]);
});
