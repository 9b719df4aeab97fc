import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DETACHED_MARK, type StartReport } from './detached.ts';
import { CliError } from './errors.ts';
import { logPath } from './log-file.ts';
import { readConfig } from './read-config.ts';
import { type RunningJarFile, runningJars } from './running.ts';
import type { StartArguments } from './start-arguments.ts';

/** Time within which a jar that another command is starting must appear. */
const OTHER_START_MS = 5000;
const LOOK_EVERY_MS = 100;

/** Starts a jar that outlives the terminal, and returns when it is ready. A jar that already runs on the folder is left alone. */
export async function startDetached(given: StartArguments): Promise<void> {
  const { config } = readConfig(given.flags);
  const [running] = await runningJars(config.data);
  if (running) return reportAlreadyRunning(running, config.data, given);
  const report = await reported(spawnJar(given.words, config.data));
  if (report.ready) return print(given.json ? JSON.stringify(report.record) : report.lines.join('\n'));
  // Two concurrent starts: the other one won.
  const faster = report.inUse ? await appears(config.data) : undefined;
  if (!faster) throw new CliError(report.message, report.exitCode);
  reportAlreadyRunning(faster, config.data, given);
}

async function appears(folder: string): Promise<RunningJarFile | undefined> {
  const giveUpAt = performance.now() + OTHER_START_MS;
  for (;;) {
    const [running] = await runningJars(folder);
    if (running || performance.now() > giveUpAt) return running;
    await pause(LOOK_EVERY_MS);
  }
}

function reportAlreadyRunning(
  { file, status, problem }: RunningJarFile,
  data: string,
  { flags, json }: StartArguments,
): void {
  const { url, httpsUrl, pid } = file;
  if (!status) throw new CliError(`a jar already runs on ${data}: ${problem}`);
  const record = { event: 'ready', url, httpsUrl, data, pid, alreadyRunning: true };
  print(json ? JSON.stringify(record) : `cloudjar ready on ${url} (process ${pid}, which was already running)`);
  const others = Object.keys(flags).filter((name) => name !== 'data' && name !== 'config');
  if (others.length > 0)
    process.stderr.write(
      `cloudjar: the options of this start have no effect on the running jar; to apply them, stop it first with cloudjar stop\n`,
    );
}

/** Runs the same program in its own session, connected to this one only by an IPC channel until it is ready. */
function spawnJar(words: readonly string[], folder: string): ChildProcess {
  const [node, entry = ''] = process.argv;
  // Node keeps a subfolder per Node version below this one.
  const cache = getCompileCacheDir();
  // For output of Node itself when it crashes; the jar writes its log lines itself.
  const errors = existsSync(logPath(folder)) ? openSync(logPath(folder), 'a') : 'ignore';
  return spawn(node ?? process.execPath, [...process.execArgv, entry, 'start', ...words], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', errors, 'ipc'],
    env: { ...process.env, [DETACHED_MARK]: '1', ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }) },
  });
}

/** The jar's report of its start, or how it ended before that. Ctrl-C aborts the start. */
function reported(jar: ChildProcess): Promise<StartReport> {
  return new Promise((resolve) => {
    const giveUp = (signal: NodeJS.Signals): void => {
      jar.kill('SIGTERM');
      resolve({ ready: false, message: 'the start was aborted', exitCode: 128 + constants.signals[signal] });
    };
    const ended = (message: string): void => resolve({ ready: false, message, exitCode: 1 });
    jar.once('message', (report: StartReport) => resolve(report));
    jar.once('error', (error) => ended(`the jar could not be started: ${error.message}`));
    jar.once('exit', (code, signal) => ended(`the jar ended before it was ready (${signal ?? `status ${code}`})`));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, giveUp);
  }).finally(() => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(signal);
    if (jar.connected) jar.disconnect();
    jar.unref();
  }) as Promise<StartReport>;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
