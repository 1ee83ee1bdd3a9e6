import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../models/setup/proxy.mjs';

const hub = new URL('https://hub.test/file');

function chosen(settings: Record<string, string>, environment: Record<string, string>, url = hub) {
  return proxyFor(new Map(Object.entries(settings)), environment, url)?.href;
}

describe('proxyFor', () => {
  it('uses none when none is set', () => {
    expect(chosen({}, {})).toBeUndefined();
    expect(chosen({ 'https-proxy': 'null', proxy: 'false' }, {})).toBeUndefined();
  });

  it('prefers npm settings to the environment, and the proxy of the scheme', () => {
    const environment = {
      HTTPS_PROXY: 'http://secure:1',
      http_proxy: 'http://plain:2',
    };
    expect(chosen({}, environment)).toBe('http://secure:1/');
    expect(chosen({}, environment, new URL('http://hub.test'))).toBe('http://plain:2/');
    expect(chosen({ 'https-proxy': 'http://npm:3' }, environment)).toBe('http://npm:3/');
    expect(chosen({ proxy: 'npm:4' }, {})).toBe('http://npm:4/');
  });

  it.each([
    ['hub.test', true],
    ['.test', true],
    ['*.test', true],
    ['other.test, hub.test', true],
    ['hub.test:443', true],
    ['hub.test:8443', false],
    ['b.test', false],
    ['*', true],
    ['', false],
  ])('with noproxy "%s" goes direct: %s', (noproxy, direct) => {
    const expected = direct ? undefined : 'http://p:1/';
    expect(chosen({ proxy: 'http://p:1', noproxy }, {})).toBe(expected);
    expect(chosen({ proxy: 'http://p:1' }, { NO_PROXY: noproxy })).toBe(expected);
  });
});
