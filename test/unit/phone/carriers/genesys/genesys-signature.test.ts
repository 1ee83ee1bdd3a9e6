import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyGenesysSignature } from '../../../../../src/phone/carriers/genesys/genesys-signature.ts';
import { parseSignatureInput } from '../../../../../src/phone/carriers/genesys/signature-input.ts';
import { SpentNonces } from '../../../../../src/phone/carriers/spent-nonces.ts';

/** The example of the AudioHook documentation, whose reference implementation tests itself by it. */
const EXAMPLE = {
  host: 'audiohook.example.com',
  'audiohook-organization-id': 'd7934305-0972-4844-938e-9060eef73d05',
  'audiohook-session-id': '30b0e395-84d3-4570-ac13-9a62d8f514c0',
  'audiohook-correlation-id': 'e160e428-53e2-487c-977d-96989bf5c99d',
  'x-api-key': 'SGVsbG8sIEkgYW0gdGhlIEFQSSBrZXkh',
  signature: 'sig1=:NZBwyBHRRyRoeLqy1IzOa9VYBuI8TgMFt2GRDkDuJh4=:',
  'signature-input':
    'sig1=("@request-target" "@authority" "audiohook-organization-id" "audiohook-session-id" "audiohook-correlation-id" "x-api-key");keyid="SGVsbG8sIEkgYW0gdGhlIEFQSSBrZXkh";nonce="VGhpc0lzQVVuaXF1ZU5vbmNl";alg="hmac-sha256";created=1641013200;expires=3282026430',
};
const TARGET = '/api/v1/voicebiometrics/ws';
const SECRET = 'TXlTdXBlclNlY3JldEtleVRlbGxOby0xITJAMyM0JDU=';
const CREATED_MS = 1_641_013_200_000;

function verify(
  headers: Record<string, string | undefined> = EXAMPLE,
  { nowMs = CREATED_MS, spent = new SpentNonces(), secret = SECRET, requestTarget = TARGET } = {},
) {
  verifyGenesysSignature({ headers, requestTarget }, { secret, nowMs, spent });
}

/** Signs as Genesys does, with other parameters. */
function signed(parameters: string, components?: string) {
  const covered =
    components ??
    '"@request-target" "@authority" "audiohook-organization-id" "audiohook-session-id" "audiohook-correlation-id" "x-api-key"';
  const values: Record<string, string> = {
    ...EXAMPLE,
    '@request-target': TARGET,
    '@authority': EXAMPLE.host,
  };
  const lines = [...covered.matchAll(/"([^"]+)"/g)].map(
    ([, name = '']) => `"${name}": ${values[name]}`,
  );
  const base = [...lines, `"@signature-params": (${covered})${parameters}`].join('\n');
  const mac = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(base).digest('base64');
  return {
    ...EXAMPLE,
    signature: `sig1=:${mac}:`,
    'signature-input': `sig1=(${covered})${parameters}`,
  };
}

const KEY = `;keyid="${EXAMPLE['x-api-key']}"`;
const NONCE = ';nonce="VGhpc0lzQVVuaXF1ZU5vbmNl"';
const TIMES = ';created=1641013200;expires=1641013230';
const refused = expect.objectContaining({ code: 'invalid_signature' });

describe("Genesys's signature", () => {
  it('is right in the example of its documentation', () => {
    expect(() => verify()).not.toThrow();
    expect(() => verify(signed(`${KEY}${NONCE}${TIMES}`))).not.toThrow();
  });

  it('is over the address that Genesys was given, whatever the proxy made of it', () => {
    const headers = { ...EXAMPLE, host: '10.0.0.7:8080' };
    const request = { headers, requestTarget: TARGET, authority: 'AudioHook.example.com' };
    const verification = { secret: SECRET, nowMs: CREATED_MS, spent: new SpentNonces() };
    expect(() => verify(headers)).toThrow(refused);
    expect(() => verifyGenesysSignature(request, verification)).not.toThrow();
  });

  it('works once', () => {
    const spent = new SpentNonces();
    verify(EXAMPLE, { spent });
    expect(() => verify(EXAMPLE, { spent })).toThrow(/used before/);
  });

  it('does not spend the nonce of a request that is refused', () => {
    const spent = new SpentNonces();
    expect(() => verify(EXAMPLE, { spent, secret: 'AAAA' })).toThrow(refused);
    expect(() => verify(EXAMPLE, { spent })).not.toThrow();
  });

  it.each([
    ['10 s before its time', CREATED_MS - 10_001, /future/],
    ['after 70 s', CREATED_MS + 70_000, /expired/],
  ])('is refused %s', (_, nowMs, message) => {
    expect(() => verify(EXAMPLE, { nowMs })).toThrow(message);
  });

  it('is refused once it says that it has expired', () => {
    const headers = signed(`${KEY}${NONCE}${TIMES}`);
    expect(() => verify(headers, { nowMs: CREATED_MS + 39_000 })).not.toThrow();
    expect(() => verify(headers, { nowMs: CREATED_MS + 40_000 })).toThrow(/expired/);
  });

  it.each([
    ['without headers', { host: EXAMPLE.host }],
    ['without the signature', { ...EXAMPLE, signature: undefined }],
    ['under another label', { ...EXAMPLE, signature: EXAMPLE.signature.replace('sig1', 'sig2') }],
    [
      'when an id was changed',
      { ...EXAMPLE, 'audiohook-session-id': EXAMPLE['audiohook-organization-id'] },
    ],
    ['when the key was changed', { ...EXAMPLE, 'x-api-key': 'other' }],
    ['cut short', { ...EXAMPLE, signature: 'sig1=:NZBwyBHR:' }],
    ['with another algorithm', signed(`${KEY}${NONCE}${TIMES};alg="rsa-v1_5-sha256"`)],
    ['without a time', signed(`${KEY}${NONCE}`)],
    ['with a time in quotes', signed(`${KEY}${NONCE};created="1641013200"`)],
    ['without a nonce', signed(`${KEY}${TIMES}`)],
    ['with a short nonce', signed(`${KEY};nonce="abc"${TIMES}`)],
    ['with another key id', signed(`;keyid="other"${NONCE}${TIMES}`)],
    [
      'over too little',
      signed(`${KEY}${NONCE}${TIMES}`, '"@request-target" "@authority" "x-api-key"'),
    ],
  ])('is refused %s', (_, headers) => {
    expect(() => verify(headers)).toThrow(refused);
  });

  it('is refused for another address, with another secret, and with a secret that is none', () => {
    expect(() => verify(EXAMPLE, { requestTarget: '/other' })).toThrow(refused);
    expect(() => verify(EXAMPLE, { secret: 'AAAA' })).toThrow(/another client secret/);
    expect(() => verify(EXAMPLE, { secret: '' })).toThrow(/not Base64/);
  });
});

describe('Signature-Input', () => {
  it('is read in its parts', () => {
    expect(parseSignatureInput('a=("x"  "@y");created=5 ;keyid="k k"')).toEqual([
      'a',
      {
        components: ['x', '@y'],
        parameters: { created: 5, keyid: 'k k' },
        text: '("x"  "@y");created=5 ;keyid="k k"',
      },
    ]);
  });

  it.each([
    '',
    'a',
    'a=',
    'a=x',
    'a=("x"',
    'a=("x");',
    'a=("x");k',
    'a=("x");k=?1',
    'a=("x"),b=("y")',
    'a=("x";sf)',
    'a=("x\\"y")',
    `a=("${'x'.repeat(5000)}")`,
  ])('is refused as %s', (header) => {
    expect(parseSignatureInput(header)).toBeUndefined();
  });

  it('never takes long, and never throws', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '=', '(', ')', '"', ';', ' ', '1'),
          maxLength: 200,
        }),
        (text) => {
          parseSignatureInput(`a=(${text}`);
          return true;
        },
      ),
    );
    expect(parseSignatureInput(`a=(${'"x" '.repeat(900)}`)).toBeUndefined();
    expect(parseSignatureInput(`a=(${' '.repeat(4000)}`)).toBeUndefined();
  });
});
