import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

export interface ServerCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Matches the output once the server listens; the first group is its address. */
  readonly ready: RegExp;
}

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** By `performance.now()`, immediately before the process was started. */
  readonly spawnedAt: number;
  stop(): Promise<void>;
}

const MOST_TO_START_MS = 60_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a server with the Node that runs this program, and waits until it reports that it listens. */
export function startServer({ args, cwd, env = {}, ready }: ServerCommand): Promise<ServerProcess> {
  // Into a file, as in production: this process must not be busy reading the log during a measurement.
  const logFile = join(cwd, 'stderr.log');
  const log = openSync(logFile, 'w');
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...ownEnvironment(), ...env },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => running.delete(child));
  return new Promise((resolve, reject) => {
    let output = '';
    let listening = false;
    // Reading continues after the server is ready, because a full pipe would stop it.
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (listening) return;
      output += text;
      const url = ready.exec(output)?.[1];
      if (url === undefined) return;
      listening = true;
      resolve({ url, pid: child.pid!, spawnedAt, stop: () => stop(child, ended) });
    });
    child.once('error', reject);
    setTimeout(
      () => reject(new Error(`it is not ready after ${MOST_TO_START_MS} ms: ${args.join(' ')}\n${output}`)),
      MOST_TO_START_MS,
    ).unref();
    void ended.then(() =>
      reject(new Error(`it ended before it was ready: ${args.join(' ')}\n${output}${readFileSync(logFile, 'utf8')}`)),
    );
  });
}

/** Settings of a jar in this shell must not leak into the measured ones. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(CLOUDJAR_|NODE_|npm_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/** With SIGTERM first, so that a program can save its compiled code on exit. */
async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(force);
}

/** One request on its own connection; resolves when the answer has been read. */
export function request(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.once('end', () => resolve({ status: response.statusCode!, body }));
      response.once('error', reject);
    }).once('error', reject);
  });
}

/** Resident memory in MB (of 1024 × 1024 bytes). */
export function residentMemory(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (!line) throw new Error(`no memory figure for process ${pid}`);
  return Number(line[1]) / 1024;
}

/** Processor time of a process in seconds, over all its threads. */
export function processorSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

/** The same on every Linux that Node runs on. */
const CLOCK_TICKS_PER_SECOND = 100;
