import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttackReport, AttackTarget } from './attack.ts';

const ENTRY = fileURLToPath(new URL('./attacker.ts', import.meta.url));
/** An attack that the server hangs up on may not notice; it is ended by then. */
const GRACE_S = 10;

/** Runs one attack in a process of its own, to its end. */
export async function runAttack(name: string, target: AttackTarget): Promise<AttackReport> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, ENTRY, name, JSON.stringify(target)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const killer = setTimeout(() => child.kill('SIGKILL'), 1000 * (target.seconds + GRACE_S));
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  await once(child, 'close');
  clearTimeout(killer);
  if (said === '')
    return {
      requests: 0,
      refusals: 0,
      refusalP99Ms: null,
      slowestRefusalMs: null,
      loopDelayMs: null,
    };
  return JSON.parse(said) as AttackReport;
}
