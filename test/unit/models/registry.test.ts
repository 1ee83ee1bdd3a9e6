import { describe, expect, it } from 'vitest';
import { networkOf } from '../../../models/setup/network.mjs';
import { tarballUrl } from '../../../models/setup/registry.mjs';
import { serve } from './local-server.ts';

async function ask(spec: string, tarball: string, more: Record<string, string> = {}) {
  await using server = await serve((_, response) =>
    response.end(JSON.stringify({ dist: { tarball } })),
  );
  const settings = new Map(Object.entries({ registry: `${server.origin}/npm`, ...more }));
  const url = await tarballUrl(spec, settings, networkOf(settings, {}), 1);
  return {
    url: url.href.replace(server.origin, ''),
    asked: server.requests[0]?.url,
  };
}

describe('tarballUrl', () => {
  it('reads where the tarball lies from the version document', async () => {
    const { url, asked } = await ask('@scope/voice@1.2.3', 'https://files.test/any/where.tgz');
    expect(asked).toBe('/npm/@scope%2fvoice/1.2.3');
    expect(url).toBe('https://files.test/any/where.tgz');
  });

  it('asks the mirror for what the document places on the public registry', async () => {
    const tarball = 'https://registry.npmjs.org/voice/-/voice-1.0.0.tgz';
    expect((await ask('voice@1.0.0', tarball)).url).toBe('/npm/voice/-/voice-1.0.0.tgz');
    const never = await ask('voice@1.0.0', tarball, {
      'replace-registry-host': 'never',
    });
    expect(never.url).toBe(tarball);
  });

  it('tries again when the registry has a passing fault, and not when the version is unknown', async () => {
    let faults = 1;
    await using server = await serve((request, response) => {
      if (request.url?.startsWith('/absent')) return response.writeHead(404).end();
      if (faults-- > 0) return response.writeHead(503).end();
      return response.end(JSON.stringify({ dist: { tarball: 'https://files.test/x.tgz' } }));
    });
    const settings = new Map([['registry', server.origin]]);
    const network = networkOf(settings, {});
    expect((await tarballUrl('x@1.0.0', settings, network, 1)).href).toContain('x.tgz');
    expect(server.requests).toHaveLength(2);
    await expect(tarballUrl('absent@1.0.0', settings, network, 1)).rejects.toThrow('answered 404');
    expect(server.requests).toHaveLength(3);
  });

  it('says so when the answer is no registry document', async () => {
    await using server = await serve((_, response) => response.end('<html>'));
    const settings = new Map([['registry', server.origin]]);
    const asking = tarballUrl('x@1.0.0', settings, networkOf(settings, {}), 1);
    await expect(asking).rejects.toThrow('not JSON');
  });
});
