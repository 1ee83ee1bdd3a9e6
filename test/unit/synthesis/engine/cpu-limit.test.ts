import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cpuQuota, usableCores } from '../../../../src/synthesis/engine/cpu-limit.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

/** Control groups as the kernel shows them; `self` is what /proc/self/cgroup says. */
function cgroups(self: string, files: Readonly<Record<string, string>>) {
  const folder = temporaryDir();
  const root = join(folder, 'cgroup');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  writeFileSync(join(folder, 'self'), self);
  return { root, self: join(folder, 'self') };
}

const V1_SELF = '4:cpu,cpuacct:/docker/f00\n3:memory:/docker/f00\n';

describe('the CPU quota', () => {
  it('is read from cpu.max of version 2', () => {
    expect(cpuQuota(cgroups('0::/\n', { 'cpu.max': '150000 100000\n' }))).toBe(1.5);
    expect(cpuQuota(cgroups('0::/\n', { 'cpu.max': 'max 100000\n' }))).toBe(Infinity);
  });

  it('is the least of all groups above the process', () => {
    const files = cgroups('0::/slice/service\n', {
      'slice/cpu.max': '200000 100000\n',
      'slice/service/cpu.max': '800000 100000\n',
    });
    expect(cpuQuota(files)).toBe(2);
  });

  it('is read from the cpu controller of version 1, mounted under either name', () => {
    const quota = { 'cpu.cfs_quota_us': '300000\n', 'cpu.cfs_period_us': '100000\n' };
    const under = (mount: string) =>
      Object.fromEntries(Object.entries(quota).map(([name, text]) => [join(mount, name), text]));
    expect(cpuQuota(cgroups(V1_SELF, under('cpu,cpuacct')))).toBe(3);
    expect(cpuQuota(cgroups(V1_SELF, under('cpu/docker/f00')))).toBe(3);
    const none = cgroups(V1_SELF, { 'cpu/cpu.cfs_quota_us': '-1', 'cpu/cpu.cfs_period_us': '1' });
    expect(cpuQuota(none)).toBe(Infinity);
  });

  it('is none where nothing tells of it', () => {
    expect(cpuQuota({ root: '/nowhere', self: '/nowhere/self' })).toBe(Infinity);
    expect(cpuQuota(cgroups('nonsense\n0::/\n', { 'cpu.max': 'garbage' }))).toBe(Infinity);
  });
});

describe('usable cores', () => {
  it('are whole ones, at least one, and no more than there are', () => {
    const quota = (text: string) => cgroups('0::/\n', { 'cpu.max': text });
    expect(usableCores(quota('250000 100000'), 8)).toBe(2);
    expect(usableCores(quota('50000 100000'), 8)).toBe(1);
    expect(usableCores(quota('1600000 100000'), 8)).toBe(8);
    expect(usableCores(quota('max 100000'), 8)).toBe(8);
  });
});
