import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, lastLine, type Shared, sharedServer, startedServer } from './shared-server.ts';

const PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const POLL_MS = 100;
const STARTS_TRIED = 3;
const ANSWER_MS = 2000;
const LONGEST_START_MS = 90_000;
/** Below the system's ephemeral ports: while a broker is down, no other program gets its ports. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000];
const [USER, PASSWORD] = ['jar', 'secret'];

/** The data by which other processes know the server. */
export interface RabbitAddress {
  readonly port: number;
  /** Id of the process that ends the server when it is itself ended. */
  readonly pid: number;
  readonly folder: string;
}

export interface RabbitServer extends RabbitAddress {
  /**
   * Resolves when a queue is in the broker's tables on the disk. That happens up to two seconds after the broker has confirmed it and the
   * messages in it; a kill before that loses both.
   */
  keeps(queue: string): Promise<void>;
  /** `kill -9`, without any shutdown. */
  kill(): Promise<void>;
  /** Restarts it on the same port with its stored data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const rabbitUrl = ({ port }: Pick<RabbitAddress, 'port'>, password = PASSWORD): string =>
  `amqp://${USER}:${password}@127.0.0.1:${port}`;

interface Setup {
  readonly folder: string;
  readonly port: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly guardian: number;
}

/**
 * Starts a real broker that speaks AMQP 1.0, with its own name, ports and folder. It is ended by `stop`, or when the process `guardian`
 * ends. Throws a one-line reason if none can be started.
 */
export async function startRabbit(guardian = process.pid): Promise<RabbitServer> {
  if (!existsSync(PROGRAM)) throw new Error(`RabbitMQ is not installed (${PROGRAM})`);
  const { setup, pid: first } = await begin(guardian);
  let pid = first;
  return {
    port: setup.port,
    folder: setup.folder,
    get pid() {
      return pid;
    },
    async keeps(queue) {
      while (!(await tablesOf(setup)).some((table) => table.includes(queue))) await pause();
    },
    async kill() {
      const server = await brokerPid(setup.folder);
      process.kill(server, 'SIGKILL');
      // The watching shell ends with it, and must not remove the folder.
      while (isAlive(pid)) await pause();
    },
    async start() {
      pid = await patiently(() => launch(setup));
    },
    async stop() {
      await end(pid);
      await rm(setup.folder, { recursive: true, force: true });
    },
  };
}

/** Retries, because another program may have taken a port between the check and the start. */
function begin(guardian: number): Promise<{ setup: Setup; pid: number }> {
  return patiently(async () => {
    const setup = await prepare(guardian);
    try {
      return { setup, pid: await launch(setup) };
    } catch (error) {
      await rm(setup.folder, { recursive: true, force: true });
      throw error;
    }
  });
}

/** Retries a start that fails or hangs. */
async function patiently<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === STARTS_TRIED) throw error;
    }
  }
}

async function prepare(guardian: number): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-rabbitmq-'));
  const [port, distribution, names] = await freePorts(3);
  const users = [{ name: USER, password: PASSWORD, tags: [] }];
  const permissions = [{ user: USER, vhost: '/', configure: '.*', write: '.*', read: '.*' }];
  const file = (name: string): string => join(folder, name);
  await mkdir(file('data'));
  await writeFile(file('enabled_plugins'), '[rabbitmq_amqp1_0].');
  await writeFile(file('definitions.json'), JSON.stringify({ users, vhosts: [{ name: '/' }], permissions }));
  await writeFile(
    file('rabbitmq.conf'),
    [`listeners.tcp.1 = 127.0.0.1:${port}`, `load_definitions = ${file('definitions.json')}`, 'log.file = false'].join(
      '\n',
    ),
  );
  const environment = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: folder,
    RABBITMQ_NODENAME: `cloudjar${port}@localhost`,
    RABBITMQ_MNESIA_BASE: file('data'),
    RABBITMQ_LOG_BASE: file('log'),
    RABBITMQ_PID_FILE: file('broker.pid'),
    RABBITMQ_CONFIG_FILE: file('rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: file('none'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
    RABBITMQ_DIST_PORT: String(distribution),
    // A separate name service, so that several brokers on a machine do not see each other.
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
  return { folder, port: port as number, environment, guardian };
}

async function launch({ folder, port, environment, guardian }: Setup): Promise<number> {
  const logFile = join(folder, 'server.log');
  await rm(join(folder, 'broker.pid'), { force: true });
  const log = await open(logFile, 'a');
  // The shell ends the broker and its name service when its guardian has ended and cannot call `stop` any more.
  const script = `
    epmd -port $ERL_EPMD_PORT -address 127.0.0.1 & names=$!
    ${PROGRAM} & server=$!
    finish() { kill -KILL $(cat '${folder}/broker.pid' 2>/dev/null) $server $names 2>/dev/null; }
    trap 'finish; exit' TERM
    while kill -0 $server 2>/dev/null && { kill -0 ${guardian} 2>/dev/null || [ -d /proc/${guardian} ]; }; do sleep 1 & wait $!; done
    finish
    kill -0 ${guardian} 2>/dev/null || [ -d /proc/${guardian} ] || rm -rf '${folder}'`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  child.unref();
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  const deadline = Date.now() + LONGEST_START_MS;
  while (!(await answers(port))) {
    if (!ended && Date.now() > deadline) await end(child.pid as number);
    if (ended || Date.now() > deadline) throw new Error(`RabbitMQ did not start: ${await lastLine(logFile)}`);
    await pause();
  }
  return child.pid as number;
}

/** The log of its tables, and the table into which the log is written from time to time. */
function tablesOf({ folder, port }: Setup): Promise<Buffer[]> {
  const files = ['LATEST.LOG', 'PREVIOUS.LOG', 'rabbit_durable_queue.DCD', 'rabbit_durable_queue.DCL'];
  const tables = join(folder, 'data', `cloudjar${port}@localhost`);
  return Promise.all(files.map((name) => readFile(join(tables, name)).catch(() => Buffer.alloc(0))));
}

async function brokerPid(folder: string): Promise<number> {
  const pid = Number(await readFile(join(folder, 'broker.pid'), 'utf8'));
  if (!(pid > 1)) throw new Error('RabbitMQ has not said which process it is');
  return pid;
}

async function end(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // The process has already ended.
  }
  while (isAlive(pid)) await pause();
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** It speaks AMQP only when everything else is ready. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const done = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.once('error', () => done(false));
    socket.once('close', () => resolve(false));
    // A connection during the start may never get an answer.
    socket.setTimeout(ANSWER_MS, () => done(false));
    socket.once('data', (data) => done(data.toString('latin1').startsWith('AMQP')));
    socket.write(Buffer.from('AMQP\x03\x01\x00\x00', 'latin1'));
  });
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

const NAME = 'RabbitMQ';

/** The run's shared broker, or the reason why none is available. */
export function sharedRabbit(folder: string, guardian: number): Promise<Shared<RabbitAddress>> {
  return sharedServer(folder, NAME, async () => {
    const { port, pid, folder: kept } = await startRabbit(guardian);
    return { port, pid, folder: kept };
  });
}

export async function stopSharedRabbit(folder: string): Promise<void> {
  const server = await startedServer<RabbitAddress>(folder, NAME);
  if (!server) return;
  await end(server.pid);
  await rm(server.folder, { recursive: true, force: true });
}
