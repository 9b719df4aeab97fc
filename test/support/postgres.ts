import { execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { fastFolder } from './fast-folder.ts';
import { type Binaries, copyBinaries, findBinaries } from './postgres-binaries.ts';
import { isAlive, lastLine, type Shared, sharedServer, startedServer } from './shared-server.ts';

const run = promisify(execFile);
const POLL_MS = 50;
const STARTS_TRIED = 3;
const USER = 'cloudjar';

/** Small, on a loopback port and a socket in its folder. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '64MB',
  max_connections: '200',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  deadlock_timeout: '100ms',
};

/**
 * Settings for the tests' server only. A commit is still passed to the operating system, so that killing a process, including this server,
 * loses nothing; only a power failure would, which no test simulates.
 */
const WITHOUT_WAITING_FOR_THE_DISK = { fsync: 'off', full_page_writes: 'off' };

export interface PostgresServer {
  readonly url: string;
  /** Address of its socket, which takes a fifth less processor time than the port. */
  readonly localUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a real server in a temporary folder. It is ended by `stop`, or when the process `guardian` ends. Throws a one-line reason if no
 * server can be started.
 */
export async function startPostgres(
  guardian = process.pid,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const found = await findBinaries();
  // Downloaded binaries and their data go to a folder on the disk, because programs in memory may not be executable.
  const folder = await mkdtemp(join(found.installed ? await fastFolder() : tmpdir(), 'cloudjar-postgres-'));
  try {
    const owner = await unprivileged();
    if (owner) await chown(folder, owner.uid, owner.gid);
    const binaries = owner && !found.installed ? await copyBinaries(found, join(folder, 'server')) : found;
    const data = join(folder, 'data');
    await initialise(binaries, data, owner);
    for (let attempt = 1; ; attempt++) {
      try {
        return await launch(binaries, folder, data, owner, guardian, settings);
      } catch (error) {
        if (attempt === STARTS_TRIED) throw error;
      }
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A new database, empty unless it is a copy of `template`; tests that share a server each have their own database. */
export async function createDatabase(serverUrl: string, name: string, template = 'template1'): Promise<string> {
  const unique = `${name.replace(/\W/g, '_').toLowerCase()}_${process.pid}_${++databases}`;
  await asAdministrator(serverUrl, async (client) => {
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    // Copies the files instead of logging every block, which costs more. Older servers always copy files.
    const strategy = Number(rows[0]?.server_version_num) >= 150_000 ? 'STRATEGY file_copy' : '';
    await client.query(`CREATE DATABASE ${unique} TEMPLATE ${template} ${strategy}`);
  });
  const url = new URL(serverUrl);
  url.pathname = `/${unique}`;
  return url.href;
}

let databases = 0;

/** Drops the database even if clients are connected. */
export async function dropDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  await asAdministrator(server.href, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
}

/** This process keeps one connection to each server, because hundreds of databases are created and dropped. */
const administrators = new Map<string, Promise<pg.Client>>();

async function asAdministrator(serverUrl: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  let connected = administrators.get(serverUrl);
  if (!connected) {
    const client = new pg.Client({ connectionString: serverUrl });
    client.on('error', () => {});
    client.once('end', () => administrators.delete(serverUrl));
    connected = client.connect().then(() => client);
    connected.catch(() => administrators.delete(serverUrl));
    administrators.set(serverUrl, connected);
  }
  await use(await connected);
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The server refuses to run as root. */
async function unprivileged(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no other user to run it as');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** With a collation that differs from byte order if the server has one, like most real databases. */
async function initialise({ bin }: Binaries, data: string, owner: Owner | undefined): Promise<void> {
  const common = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'];
  const icu = ['--locale-provider=icu', '--icu-locale=en-US'];
  const initdb = join(bin, 'initdb');
  await run(initdb, [...common, ...icu], { ...owner, cwd: '/' }).catch(async () => {
    await rm(data, { recursive: true, force: true });
    await run(initdb, common, { ...owner, cwd: '/' });
  });
}

async function launch(
  { bin }: Binaries,
  folder: string,
  data: string,
  owner: Owner | undefined,
  guardian: number,
  special: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const port = await freePort();
  const settings = Object.entries({
    ...SETTINGS,
    unix_socket_directories: folder,
    ...special,
    port: String(port),
  }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const logFile = join(folder, 'server.log');
  const log = await open(logFile, 'a');
  // Its data is discarded, so it may stop immediately. The shell ends it when its guardian has ended and cannot call `stop` any more.
  const script = `
    "$@" & server=$!
    trap 'kill -QUIT $server' TERM
    while kill -0 $server 2>/dev/null && { kill -0 ${guardian} 2>/dev/null || [ -d /proc/${guardian} ]; }; do sleep 1 & wait $!; done
    kill -QUIT $server 2>/dev/null; wait $server; rm -rf '${folder}'`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', join(bin, 'postgres'), '-D', data, ...settings], {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  child.unref();
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  while (!(await answers(url))) {
    if (ended) throw new Error(`PostgreSQL did not start: ${await lastLine(logFile)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const localUrl = `${url}?${new URLSearchParams({ host: folder })}`;
  return { url, localUrl, pid: child.pid!, stop: () => stopPostgres(child.pid!, folder) };
}

async function stopPostgres(pid: number, folder: string): Promise<void> {
  endProcess(pid);
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  await rm(folder, { recursive: true, force: true });
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // The process has already ended.
  }
}

async function answers(url: string): Promise<boolean> {
  return withClient(url, () => Promise.resolve(true)).catch(() => false);
}

export async function withClient<R>(url: string, use: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

type Server = { readonly url: string; readonly pid: number };

const NAME = 'PostgreSQL';

/** The run's shared server, or the reason why no PostgreSQL is available. */
export function sharedPostgres(folder: string, guardian: number): Promise<Shared<Server>> {
  return sharedServer(folder, NAME, async () => {
    const { localUrl, pid } = await startPostgres(guardian, WITHOUT_WAITING_FOR_THE_DISK);
    return { url: localUrl, pid };
  });
}

export async function stopSharedPostgres(folder: string): Promise<void> {
  const server = await startedServer<Server>(folder, NAME);
  if (!server) return;
  endProcess(server.pid);
  while (isAlive(server.pid)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
