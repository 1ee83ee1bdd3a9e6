import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AttackLog, type AttackTarget } from './attack.ts';
import { ATTACKS } from './attacks.ts';

/** A process of its own, so that what an attack costs its client delays nobody who measures. */
const [name = '', target = '{}'] = process.argv.slice(2);
const attack = ATTACKS[name];
if (!attack) throw new Error(`There is no attack "${name}".`);
const parsed = JSON.parse(target) as AttackTarget;
const log = new AttackLog(parsed);
const loopDelay = monitorEventLoopDelay({ resolution: 1 });
loopDelay.enable();
await attack(parsed, log);
console.log(JSON.stringify({ ...log.report, loopDelayMs: loopDelay.max / 1e6 }));
process.exit(0);
