import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { tokenGenerate, verifySignature } from '@vonage/jwt';
import { describe, expect, it } from 'vitest';
import { SpentNonces } from '../../../../../src/phone/carriers/spent-nonces.ts';
import { verifyVonageSignature } from '../../../../../src/phone/carriers/vonage/vonage-signature.ts';

const SECRET = 'a signature secret of sixty-four characters, as the dashboard has';
const NOW_MS = 1_800_000_000_000;
const NOW_S = NOW_MS / 1000;
const CLAIMS = { iss: 'Vonage', api_key: 'a1b2c3d4', iat: NOW_S, exp: NOW_S + 60, jti: 'one' };

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(claims: object = CLAIMS, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

function verify(
  jwt: string,
  options: Partial<Parameters<typeof verifyVonageSignature>[1]> & { body?: Uint8Array } = {},
) {
  const { body, ...verification } = options;
  verifyVonageSignature(
    { authorization: `Bearer ${jwt}`, ...(body && { body }) },
    { secret: SECRET, nowMs: NOW_MS, ...verification },
  );
}

const refused = expect.objectContaining({ code: 'invalid_signature' });

describe('a token of Vonage', () => {
  it('passes when it was signed with the secret', () => {
    expect(() => verify(token())).not.toThrow();
  });

  it('is the same thing to the official package', () => {
    const nowS = Math.floor(Date.now() / 1000);
    const jwt = token({ ...CLAIMS, iat: nowS, exp: nowS + 60 });
    expect(verifySignature(jwt, SECRET)).toBe(true);
    expect(() => verify(jwt, { nowMs: Date.now() })).not.toThrow();
  });

  it("passes with an application's public key when the official generator made it", () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const jwt = tokenGenerate('aaaaaaaa-bbbb-cccc-dddd-0123456789ab', privateKey, { ttl: 60 });
    const nowMs = Date.now();
    expect(() => verify(jwt, { secret: publicKey, nowMs })).not.toThrow();
    expect(() => verify(jwt, { nowMs })).toThrow(refused);
    const [header, , signature] = jwt.split('.');
    const forged = `${header}.${part({ iat: nowMs / 1000, exp: nowMs / 1000 + 60 })}.${signature}`;
    expect(() => verify(forged, { secret: publicKey, nowMs })).toThrow(refused);
  });

  it('cannot choose its algorithm', () => {
    const { publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const signed = `${part({ alg: 'HS256' })}.${part(CLAIMS)}`;
    const confused = createHmac('sha256', publicKey).update(signed).digest('base64url');
    expect(() => verify(`${signed}.${confused}`, { secret: publicKey })).toThrow(refused);
    expect(() => verify(`${part({ alg: 'none' })}.${part(CLAIMS)}.`)).toThrow(refused);
    expect(() => verify(token(CLAIMS, { alg: 'HS512' }))).toThrow(refused);
  });

  it.each([
    ['no header', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['no token', 'Bearer '],
    ['no JWT', 'Bearer abc'],
    ['a part too many', `Bearer ${token()}.x`],
    ['another secret', `Bearer ${token().slice(0, -4)}AAAA`],
  ])('is refused: %s', (_, authorization) => {
    expect(() =>
      verifyVonageSignature({ authorization }, { secret: SECRET, nowMs: NOW_MS }),
    ).toThrow(refused);
  });

  it.each([
    ['expired', { ...CLAIMS, exp: NOW_S - 61 }, /expired/],
    ['without expiry and old', { iat: NOW_S - 361 }, /expired/],
    ['of the future', { ...CLAIMS, iat: NOW_S + 61 }, /future/],
    ['not valid yet', { ...CLAIMS, nbf: NOW_S + 61 }, /future/],
    ['without a time', { exp: NOW_S + 60 }, /when it was made/],
    ['with a time that is none', { ...CLAIMS, iat: 'now' }, /when it was made/],
    ['with claims that are none', [], /when it was made/],
  ])('is refused: %s', (_, claims, message) => {
    expect(() => verify(token(claims))).toThrow(message);
  });

  it('covers the body', () => {
    const body = Buffer.from('{"uuid":"aaaaaaaa"}');
    const payload_hash = createHash('sha256').update(body).digest('hex');
    const jwt = token({ ...CLAIMS, payload_hash });
    expect(() => verify(jwt, { body })).not.toThrow();
    expect(() => verify(jwt)).not.toThrow();
    expect(() => verify(jwt, { body: Buffer.from('{"uuid":"bbbbbbbb"}') })).toThrow(/changed/);
    expect(() => verify(token(), { body })).toThrow(/does not cover/);
  });

  it('works once', () => {
    const spent = new SpentNonces();
    expect(() => verify(token(), { spent })).not.toThrow();
    expect(() => verify(token(), { spent })).toThrow(/used before/);
    expect(() => verify(token({ ...CLAIMS, jti: 'two' }), { spent })).not.toThrow();
  });
});
