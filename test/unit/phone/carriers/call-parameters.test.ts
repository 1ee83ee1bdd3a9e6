import { describe, expect, it } from 'vitest';
import {
  parametersOf,
  partiesOf,
  queryParameters,
  queryText,
} from '../../../../src/phone/carriers/call-parameters.ts';

describe('parameters of a call', () => {
  it('are text, whatever they were', () => {
    expect(
      parametersOf({ a: 'x', b: 1, c: true, d: [1], e: { f: null }, g: null, h: undefined }),
    ).toEqual({ a: 'x', b: '1', c: 'true', d: '[1]', e: '{"f":null}' });
  });

  it('leave out what lets somebody in, and what is ours', () => {
    const query = { from: '1000', rate: '8000', api_key: 'k', 'XI-API-Key': 'k', token: 't' };
    expect(queryParameters(query, ['rate'])).toEqual({ from: '1000' });
  });

  it('tell who calls whom, under the names that dialplans use', () => {
    expect(partiesOf({ uuid: 'u', from: '1', to: '2', tier: 'gold' })).toEqual({
      carrierCallId: 'u',
      from: '1',
      to: '2',
      parameters: { uuid: 'u', tier: 'gold' },
    });
    expect(partiesOf({ uuid: 'u', call_id: 'c' }).carrierCallId).toBe('c');
    expect(partiesOf({})).toEqual({ parameters: {} });
  });

  it('may come several times in a query; the first counts', () => {
    expect(queryText({ a: ['1', '2'] }, 'a')).toBe('1');
    expect(queryText({ a: '1' }, 'a')).toBe('1');
    expect(queryText({ a: [] }, 'a')).toBeUndefined();
    expect(queryText({ a: { b: '1' } }, 'a')).toBeUndefined();
    expect(queryText({}, 'a')).toBeUndefined();
  });
});
