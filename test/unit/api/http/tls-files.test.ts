import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket, type Server as TlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { readTlsPair, TlsFiles, TlsFilesError } from '../../../../src/api/http/tls-files.ts';
import { ConnectionLimits } from '../../../../src/api/identity/connection-limits.ts';
import { type DevCertificate, devCertificate } from '../../../../src/tools/cli/dev-certificate.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { memoryLogger } from '../resources/api-harness.ts';

const made = mkdtempSync(join(tmpdir(), 'sidetone-tls-'));
let one: DevCertificate;
let other: DevCertificate;
beforeAll(async () => {
  one = await devCertificate(join(made, 'one'));
  other = await devCertificate(join(made, 'other'));
});
afterAll(() => rmSync(made, { recursive: true }));

const pathsOf = ({ certPath, keyPath }: DevCertificate) => ({ cert: certPath, key: keyPath });

/** Files of their own, for a test to renew. */
function copied(certificate: DevCertificate) {
  const folder = temporaryDir();
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const write = ({ certPath, keyPath }: DevCertificate) => {
    copyFileSync(certPath, paths.cert);
    copyFileSync(keyPath, paths.key);
  };
  write(certificate);
  return { paths, write };
}

describe('readTlsPair', () => {
  it('reads a certificate and its key, and makes a certificate once', async () => {
    expect((await readTlsPair(pathsOf(one))).cert.toString()).toContain('BEGIN CERTIFICATE');
    const { cert } = await readTlsPair(pathsOf(one));
    const folder = join(one.certPath, '..');
    expect((await readTlsPair(pathsOf(await devCertificate(folder)))).cert).toEqual(cert);
  });

  it('says of each file why it cannot be used', async () => {
    const { paths } = copied(one);
    const refusal = (wrong: Partial<typeof paths>) => readTlsPair({ ...paths, ...wrong });
    await expect(refusal({ cert: '/nowhere.pem' })).rejects.toThrow(TlsFilesError);
    await expect(refusal({ key: '/nowhere.pem' })).rejects.toThrow(/TLS_KEY: there is no file/);
    await expect(refusal({ cert: paths.key })).rejects.toThrow(/TLS_CERT: .* no certificate/);
    await expect(refusal({ key: paths.cert })).rejects.toThrow(/TLS_KEY: .* no private key/);
    await expect(refusal({ key: other.keyPath })).rejects.toThrow(/does not belong/);
    await expect(refusal({ cert: '/' })).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});

describe('a server with TLS', () => {
  async function open() {
    const { paths, write } = copied(one);
    const http = openHttp(memoryLogger([]), await readTlsPair(paths));
    http.get('/', async () => 'in');
    const limits = new ConnectionLimits({
      maxConnections: 10,
      maxUnknownPerAddress: 1,
      isTrustedProxy: () => false,
      refuse: (_error, socket) => socket.destroy(),
    });
    limits.watch(http.server);
    http.addHook('onRequest', async ({ raw }) => limits.recognise(raw.socket));
    await http.listen({ host: '127.0.0.1', port: 0 });
    const spoiled: string[] = [];
    const files = new TlsFiles({
      paths,
      onRenewed: (pair) => (http.server as unknown as TlsServer).setSecureContext(pair),
      onSpoiled: ({ message }) => spoiled.push(message),
    });
    await files.start();
    const { port } = http.server.address() as AddressInfo;
    const dial = async (): Promise<TLSSocket> => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      return socket;
    };
    onTestFinished(async () => {
      files.close();
      await http.close();
    });
    return { port, paths, write, files, spoiled, dial };
  }

  const serialOf = (socket: TLSSocket) => socket.getPeerCertificate().serialNumber;

  it('takes a renewed certificate over, and keeps the connections that it has', async () => {
    const { port, write, files, dial } = await open();
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const ask = async () => {
      const [reply] = await once(get({ port, host: '127.0.0.1', agent }), 'response');
      const serial = serialOf(reply.socket);
      for await (const piece of reply) expect(String(piece)).toBe('in');
      return serial;
    };
    const before = await ask();
    write(other);
    await files.look();
    expect(await ask()).toBe(before);
    const fresh = await dial();
    expect(serialOf(fresh)).not.toBe(before);
    fresh.destroy();
    agent.destroy();
  });

  it('goes on with what it has while files are spoiled or half written', async () => {
    const { paths, write, files, spoiled, dial } = await open();
    writeFileSync(paths.key, 'half a key');
    await files.look();
    await files.look();
    expect(spoiled).toEqual([expect.stringContaining('no private key')]);
    (await dial()).destroy();
    write(other);
    await files.look();
    expect(spoiled).toHaveLength(1);
  });

  it('counts who is known on a connection off its address', async () => {
    const { port } = await open();
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const ask = async () => once(get({ port, host: '127.0.0.1', agent }), 'response');
    await ask();
    // One unknown connection is all that an address may have: this is the second.
    await ask();
    agent.destroy();
  });
});
