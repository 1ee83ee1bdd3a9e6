import { describe, expect, it } from 'vitest';
import { openAccountsApi } from '../../api/resources/accounts-harness.ts';
import { run } from './cli-harness.ts';

/** Runs command lines against one real server. */
async function startCli() {
  const { app } = await openAccountsApi();
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return (args: readonly string[], environment = {}) => run([...args, '--url', url], environment);
}

function columns(line: string | undefined): readonly string[] {
  return (line ?? '').split(/ {2,}/);
}

describe('sidetone accounts', () => {
  it('makes an account, lists and changes it', async () => {
    const cli = await startCli();
    const made = await cli(['accounts', 'create', '--name', 'Acme', '--id', 'acme']);
    expect(made.err).toBe('');
    const [head, row] = made.out.split('\n').map(columns);
    expect(head).toEqual(['ID', 'NAME', 'TIER', 'CHARACTERS A MONTH', 'AT ONCE']);
    expect(row).toEqual(['acme', 'Acme', 'free', '10,000', '2']);
    const change = ['--tier', 'pro', '--characters', '5', '--concurrency', 'none'];
    const changed = await cli(['accounts', 'change', 'acme', ...change]);
    expect(columns(changed.out.split('\n')[1])).toEqual(['acme', 'Acme', 'pro', '5', 'none']);
    const listed = (await cli(['accounts', 'list'])).out.split('\n').map(columns);
    expect(listed).toContainEqual(['acme', 'Acme', 'pro', '5', 'none']);
    expect(listed).toContainEqual(['default', 'Default', 'business', 'none', 'none']);
  });

  it('gives an account a key, which serves it and administers nobody else', async () => {
    const cli = await startCli();
    await cli(['accounts', 'create', '--name', 'Acme', '--id', 'acme']);
    const made = await cli(['keys', 'create', '--account', 'acme', '--name', 'theirs']);
    const environment = { SIDETONE_API_KEY: made.out.trim() };
    expect((await cli(['keys', 'list'], environment)).out).toContain('theirs');
    expect((await cli(['keys', 'list'])).out).not.toContain('theirs');
    const refused = await cli(['accounts', 'list'], environment);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('default account');
  });

  it.each([
    ['accounts', 'create'],
    ['accounts', 'create', '--name', 'x', '--tier', 'huge'],
    ['accounts', 'change', 'acme', '--characters', '-1'],
    ['accounts', 'change', 'acme', '--characters', 'many'],
    ['keys', 'create', '--scope', 'everything'],
  ])('refuses %s %s %s %s %s', async (...args) => {
    expect((await run(args)).code).toBe(2);
  });
});

describe('sidetone keys', () => {
  it('makes a key with limits, shows them, and takes them away', async () => {
    const cli = await startCli();
    const limits = ['--scope', 'text_to_speech', 'user_read', '--characters', '50000'];
    const made = await cli(['keys', 'create', ...limits, '--allow', '10.0.0.0/8', '::1']);
    expect(made.out).toMatch(/^sk_\w{49}\n$/);
    const id = /id is (\S+)\./.exec(made.err)?.[1] ?? '';
    const listed = (await cli(['keys', 'list'])).out;
    expect(listed).toMatch(/0 +50,000 +text_to_speech user_read +10\.0\.0\.0\/8 ::1\n/);
    const none = ['--scope', 'all', '--characters', 'none', '--allow', 'any', '--name', 'free'];
    const changed = await cli(['keys', 'change', id, ...none]);
    expect(columns(changed.out.split('\n')[1]).slice(-4)).toEqual(['0', 'none', 'all', 'any']);
    expect(changed.out).toContain('free');
  });

  it('rotates a key: the new secret is all there is on stdout, the old one is refused', async () => {
    const cli = await startCli();
    const made = await cli(['keys', 'create']);
    const id = /id is (\S+)\./.exec(made.err)?.[1] ?? '';
    const rotated = await cli(['keys', 'rotate', id]);
    expect(rotated.out).toMatch(/^sk_\w{49}\n$/);
    expect(rotated.out).not.toBe(made.out);
    expect(rotated.err).toContain(id);
    const old = await cli(['keys', 'list'], { SIDETONE_API_KEY: made.out.trim() });
    expect(old.code).toBe(1);
    expect((await cli(['keys', 'list'], { SIDETONE_API_KEY: rotated.out.trim() })).code).toBe(0);
  });
});
