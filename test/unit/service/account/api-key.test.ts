import { describe, expect, it } from 'vitest';
import {
  generateSecret,
  hashSecret,
  isDamagedSecret,
  isGeneratedSecret,
} from '../../../../src/service/account/api-key.ts';

describe('a generated secret', () => {
  it('has a prefix, 43 digits of randomness and 6 of checksum', () => {
    const secret = generateSecret();
    expect(secret).toMatch(/^sk_[0-9A-Za-z]{49}$/);
    expect(isGeneratedSecret(secret)).toBe(true);
  });

  it('is different every time', () => {
    const secrets = Array.from({ length: 200 }, generateSecret);
    expect(new Set(secrets).size).toBe(200);
  });

  it('is recognised as damaged when any one character changed, or some are missing', () => {
    const secret = generateSecret();
    for (let index = 3; index < secret.length; index++) {
      const other = secret[index] === 'A' ? 'B' : 'A';
      const mistyped = secret.slice(0, index) + other + secret.slice(index + 1);
      expect(isDamagedSecret(mistyped), `character ${index}`).toBe(true);
    }
    expect(isDamagedSecret(secret.slice(0, -1))).toBe(true);
    expect(isDamagedSecret(secret)).toBe(false);
  });

  it('is not expected of a secret that somebody chose', () => {
    expect(isDamagedSecret('correct-horse-battery')).toBe(false);
    expect(isGeneratedSecret('correct-horse-battery')).toBe(false);
  });
});

it('hashes with SHA-256 (test vector "abc" of FIPS 180-4)', () => {
  expect(hashSecret('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
