import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, CONFIGURED_SECRET } from '../../api/resources/api-harness.ts';
import { run, startServer } from './cli-harness.ts';

describe('sidetone voices', () => {
  it('prints a table', async () => {
    const { url } = await startServer();
    const { code, out } = await run(['voices', '--url', url], { SIDETONE_API_KEY: undefined });
    expect(code).toBe(0);
    const [head, ada, faber, end] = out.split('\n');
    expect(head).toMatch(/^ID +NAME +LANGUAGE +GENDER +DESCRIPTION$/);
    expect(ada).toBe(`${ADA}  Ada    en-US     female  Calm and low.`);
    expect(faber).toMatch(/ {2}Faber {2}pt-BR$/);
    expect(end).toBe('');
  });

  it('prints the records as JSON', async () => {
    const { url } = await startServer();
    const { out } = await run(['voices', '--json', '--url', url]);
    expect(JSON.parse(out)[0]).toMatchObject({ voice_id: ADA, licence: 'CC BY 4.0' });
  });
});

describe('sidetone keys', () => {
  it('makes a key whose secret is all there is on stdout, lists it and revokes it', async () => {
    const { url } = await startServer();
    const made = await run(['keys', 'create', '--name', 'bot', '--url', url]);
    expect(made.out).toMatch(/^sk_[0-9A-Za-z]{49}\n$/);
    const id = /id is (\S+)\./.exec(made.err)?.[1] ?? '';
    const SIDETONE_API_KEY = made.out.trim();
    const listed = await run(['keys', 'list', '--url', url], { SIDETONE_API_KEY });
    expect(listed.out).toContain(`${id}  bot `);
    expect(listed.out).toContain(`…${SIDETONE_API_KEY.slice(-4)}`);
    expect(listed.out).not.toContain(SIDETONE_API_KEY);
    expect(await run(['keys', 'revoke', id, '--url', url])).toMatchObject({ code: 0 });
    const after = await run(['keys', 'list', '--url', url], { SIDETONE_API_KEY });
    expect(after.code).toBe(1);
    expect(after.err).toMatch(/^sidetone: .*revoked.*\n$/);
  });

  it('says which key is missing', async () => {
    const { url } = await startServer();
    const { code, err } = await run(['keys', 'list', '--url', url], { SIDETONE_API_KEY: '' });
    expect(code).toBe(1);
    expect(err).toContain('--key or SIDETONE_API_KEY');
  });

  it('reports an id that does not exist', async () => {
    const { url } = await startServer();
    const { code, err } = await run(['keys', 'revoke', 'no/such id', '--url', url]);
    expect(code).toBe(1);
    expect(err).toBe('sidetone: There is no API key with the id "no/such id".\n');
  });
});

describe('without a server', () => {
  it.each([['voices'], ['keys', 'list'], ['say', 'Hi'], ['say', 'Hi', '--voice', ADA]])(
    'sidetone %s says how to start one',
    async (...args) => {
      const { code, err } = await run([...args, '--url', await closedPort()]);
      expect(code).toBe(3);
      expect(err).toMatch(/^sidetone: No Sidetone server answers at http:.*npm start.*\n$/);
    },
  );

  it.each([['voices'], ['say', 'Hi', '--voice', ADA]])(
    'sidetone %s notices that it is another one',
    async (...args) => {
      const { code, err } = await run([...args, '--url', await otherServer()]);
      expect(code).toBe(1);
      expect(err).toContain('answered with status 418, and not as Sidetone does.');
    },
  );
});

describe('the command line', () => {
  it.each([
    ['nothing to say', ['say', ' ']],
    ['no text', ['say']],
    ['an unknown command', ['sing']],
    ['an unknown option', ['voices', '--loud']],
    ['an unknown format', ['say', 'Hi', '--format', 'mp3']],
    ['a level that is no level', ['say', 'Hi', '--level', '5']],
    ['half a seed', ['say', 'Hi', '--seed', '1.5']],
    ['a speed out of range', ['say', 'Hi', '--speed', '2']],
    ['a blank number', ['say', 'Hi', '--style', '']],
    ['an address that is none', ['voices', '--url', 'localhost:8080']],
  ])('refuses %s with exit code 2', async (_case, args) => {
    const { code, err, out } = await run(args);
    expect(code).toBe(2);
    expect(err).not.toBe('');
    expect(out).toBe('');
  });

  it.each([[[]], [['say']], [['voices']], [['keys']], [['keys', 'create']], [['keys', 'revoke']]])(
    'helps with %j',
    async (command) => {
      const { code, out } = await run([...command, '--help']);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: sidetone ${command.join(' ')}`.trimEnd());
      expect(out).toContain('--url');
      expect(out).not.toContain(CONFIGURED_SECRET);
    },
  );
});

async function closedPort(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

async function otherServer(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(418).end('<html>'));
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 418 Teapot\r\nContent-Length: 6\r\n\r\n<html>');
  });
  onTestFinished(() => void server.close());
  return listen(server);
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
