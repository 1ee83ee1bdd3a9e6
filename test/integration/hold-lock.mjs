// Run as a process of its own: keeps everybody else from writing to a database for a while.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';

const [path = '', durationMs] = argv.slice(2);
const database = new Database(path, { timeout: 5_000 });
database.exec('begin exclusive');
writeSync(1, 'locked');
await sleep(Number(durationMs));
database.exec('commit');
database.close();
