import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiKeyRegistry } from '../../../../src/service/account/api-key-registry.ts';
import { Authenticator } from '../../../../src/service/account/authenticator.ts';
import { SingleUseTokens } from '../../../../src/service/account/single-use-tokens.ts';
import { openStorageHere } from '../../../support/storage-here.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const QUARTER_HOUR_MS = 15 * 60_000;

async function openTokens(dataDir = temporaryDir()) {
  const clock = { nowMs: 1_763_700_000_000 };
  const storage = await openStorageHere({ dataDir });
  onTestFinished(() => storage.close());
  const now = () => clock.nowMs;
  const apiKeyRegistry = new ApiKeyRegistry({
    store: storage.keys,
    configuredSecret: 'configured',
    now,
  });
  const tokens = new SingleUseTokens({ store: storage.tokens, keys: apiKeyRegistry, now });
  const { key, secret } = await apiKeyRegistry.create('default', 'site', {
    allowedAddresses: ['10.0.0.1'],
  });
  const caller = await new Authenticator(apiKeyRegistry).authenticate(secret, {
    peerAddress: '10.0.0.1',
    forwardedFor: undefined,
    scope: 'text_to_speech',
  });
  return { clock, storage, apiKeyRegistry, tokens, key, caller };
}

const refused = expect.objectContaining({ code: 'invalid_api_key', param: 'single_use_token' });

describe('a single-use token', () => {
  it('stands for its key, once', async () => {
    const { tokens, caller } = await openTokens();
    const token = await tokens.issue(caller, 'tts_websocket');
    expect(token).toMatch(/^sutkn_[0-9A-Za-z]{49}$/);
    const scopes = ['text_to_speech'];
    expect(await tokens.redeem(token, ['tts_websocket'])).toEqual({ ...caller, scopes });
    await expect(tokens.redeem(token, ['tts_websocket'])).rejects.toEqual(refused);
  });

  it('is redeemed by one of many who try together', async () => {
    const { tokens, caller } = await openTokens();
    const token = await tokens.issue(caller, 'tts_websocket');
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => tokens.redeem(token, ['tts_websocket'])),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });

  it('is no token when it was made up, or for another purpose', async () => {
    const { tokens, caller } = await openTokens();
    const token = await tokens.issue(caller, 'batch_scribe');
    for (const wrong of [token, `${token}x`, '', 'sutkn_']) {
      await expect(tokens.redeem(wrong, ['tts_websocket'])).rejects.toEqual(refused);
    }
    expect(await tokens.redeem(token, ['batch_scribe'])).toEqual({ ...caller, scopes: [] });
  });

  it('opens what its name says, and calls for none but those of calls', async () => {
    const { tokens, caller } = await openTokens();
    const calls = ['calls_attach', 'calls_transfer'] as const;
    for (const purpose of ['tts_websocket', 'call_stream'] as const) {
      const token = await tokens.issue(caller, purpose);
      await expect(tokens.redeem(token, calls)).rejects.toEqual(refused);
    }
    const attaching = await tokens.issue(caller, 'calls_attach');
    expect((await tokens.redeem(attaching, calls)).scopes).toEqual(['calls_attach']);
    const transferring = await tokens.issue(caller, 'calls_transfer');
    expect((await tokens.redeem(transferring, calls)).scopes).toEqual(calls);
  });

  it('opens no more than its key, then and later', async () => {
    const { tokens, apiKeyRegistry, key, caller } = await openTokens();
    const restricted = { ...caller, scopes: ['text_to_speech', 'calls_attach'] as const };
    await expect(tokens.issue(restricted, 'calls_transfer')).rejects.toMatchObject({
      code: 'missing_permissions',
    });
    const token = await tokens.issue(caller, 'calls_transfer');
    await apiKeyRegistry.change('default', key.keyId, { scopes: ['calls_attach'] });
    expect((await tokens.redeem(token, ['calls_transfer'])).scopes).toEqual(['calls_attach']);
  });

  it('is good for fifteen minutes, over a restart too', async () => {
    const dataDir = temporaryDir();
    const before = await openTokens(dataDir);
    const [young, old] = [
      await before.tokens.issue(before.caller, 'tts_websocket'),
      await before.tokens.issue(before.caller, 'tts_websocket'),
    ];
    await before.storage.close();
    const { tokens, clock } = await openTokens(dataDir);
    clock.nowMs += QUARTER_HOUR_MS - 1;
    const { keyId } = before.caller;
    expect(await tokens.redeem(young, ['tts_websocket'])).toMatchObject({ keyId });
    clock.nowMs += 1;
    await expect(tokens.redeem(old, ['tts_websocket'])).rejects.toEqual(refused);
  });

  it('dies with its key', async () => {
    const { tokens, caller, apiKeyRegistry, key } = await openTokens();
    const token = await tokens.issue(caller, 'tts_websocket');
    await apiKeyRegistry.rotate('default', key.keyId);
    await expect(tokens.redeem(token, ['tts_websocket'])).rejects.toEqual(refused);
  });

  it('is nowhere in storage', async () => {
    const { tokens, caller, storage, clock } = await openTokens();
    const token = await tokens.issue(caller, 'tts_websocket');
    expect(await storage.tokens.take(token, 'tts_websocket', clock.nowMs)).toBeUndefined();
  });
});
