import { describe, expect, it } from 'vitest';
import { CARRIER_NAMES } from '../../src/domain/carrier.ts';
import type { Carrier } from '../../src/phone/calls/carrier.ts';
import { CARRIERS } from '../../src/phone/carriers/registry.ts';
import { carrierDialectContract } from './carrier-dialect-contract.ts';

describe('the registry of carriers', () => {
  it('has a row for each', () => {
    expect(CARRIERS.map(({ name }) => name).sort()).toEqual([...CARRIER_NAMES].sort());
  });

  it.each(CARRIERS)('promises of $name only what can be', (carrier: Carrier) => {
    expect(carrier.unitsPerMessage).toBeGreaterThanOrEqual(1);
    expect(carrier.maxUnitsPerMessage % carrier.unitsPerMessage).toBe(0);
    expect(carrier.leadMs).toBeGreaterThanOrEqual(0);
    expect(carrier.leadMs).toBeLessThanOrEqual(500);
  });
});

for (const carrier of CARRIERS) carrierDialectContract(carrier);
