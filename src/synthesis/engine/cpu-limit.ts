import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const CGROUP_ROOT = '/sys/fs/cgroup';
const SELF_CGROUP = '/proc/self/cgroup';

/** Where the system tells about control groups; tests give folders of their own. */
export interface CgroupFiles {
  readonly root: string;
  /** The file that names the groups of this process. */
  readonly self: string;
}

/**
 * Cores that this process may keep busy: those that it may run on, or fewer where a container's quota
 * allows less time. Threads beyond a quota make the whole process stop for tens of milliseconds
 * whenever it is used up, the one that sends audio with them. At least 1.
 */
export function usableCores(
  files: CgroupFiles = { root: CGROUP_ROOT, self: SELF_CGROUP },
  cores = availableParallelism(),
): number {
  return Math.max(1, Math.floor(Math.min(cores, cpuQuota(files))));
}

/** Cores that the control groups of this process allow; infinite where none limits it. */
export function cpuQuota({ root, self }: CgroupFiles): number {
  const quotas = groupsOf(self).flatMap(({ controllers, path }) => {
    if (controllers === '') return ancestors(path).map((group) => quotaV2(join(root, group)));
    if (!controllers.split(',').includes('cpu')) return [];
    const mounts = [controllers, 'cpu'].map((name) => join(root, name));
    return mounts.flatMap((mount) => ancestors(path).map((group) => quotaV1(join(mount, group))));
  });
  return Math.min(Number.POSITIVE_INFINITY, ...quotas);
}

/** cgroups(7): lines of `hierarchy:controllers:path`; version 2 names no controllers. */
function groupsOf(self: string): { controllers: string; path: string }[] {
  return (read(self) ?? '').split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.+)$/.exec(line) ?? [];
    return controllers === undefined || path === undefined ? [] : [{ controllers, path }];
  });
}

/** A group and all above it: each may limit. In a container its own group is mounted as the root. */
function ancestors(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '..');
  return [...names.keys(), names.length].map((count) => join(...names.slice(0, count)));
}

/** `cpu.max`: "quota period" in microseconds, or "max period". */
function quotaV2(folder: string): number {
  const [quota, period] = (read(join(folder, 'cpu.max')) ?? '').trim().split(' ');
  return coresOf(Number(quota), Number(period));
}

/** A quota of −1 is none. */
function quotaV1(folder: string): number {
  const [quota, period] = ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) =>
    Number(read(join(folder, name)) ?? Number.NaN),
  );
  return coresOf(quota ?? Number.NaN, period ?? Number.NaN);
}

function coresOf(quotaUs: number, periodUs: number): number {
  return quotaUs > 0 && periodUs > 0 ? quotaUs / periodUs : Number.POSITIVE_INFINITY;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
