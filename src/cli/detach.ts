import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { DETACHED_MARK, type StartReport } from './detached.ts';
import { CliError } from './errors.ts';
import { logPath } from './log-file.ts';
import { readConfig } from './read-config.ts';
import { runningJars } from './running.ts';
import type { StartArguments } from './start-arguments.ts';

/** Starts a jar that outlives the terminal, and returns when it answers. A jar that already runs on the folder is left as it is. */
export async function startDetached({ flags, json, words }: StartArguments): Promise<void> {
  const { config } = readConfig(flags);
  const [running] = await runningJars(config.data);
  if (running) {
    const { url, pid } = running.file;
    if (!running.status)
      throw new CliError(
        `process ${pid} runs on ${config.data} and does not answer at ${url}, or has another admin key`,
      );
    const record = {
      event: 'ready',
      url,
      httpsUrl: running.file.httpsUrl,
      data: config.data,
      pid,
      alreadyRunning: true,
    };
    print(json ? JSON.stringify(record) : `cloudjar ready on ${url} (process ${pid}, which was running already)`);
    const others = Object.keys(flags).filter((name) => name !== 'data' && name !== 'config');
    if (others.length > 0)
      process.stderr.write(`cloudjar: the options of this start have no effect on it; cloudjar stop ends it first\n`);
    return;
  }
  const report = await reported(spawnJar(words, config.data));
  if (!report.ready) throw new CliError(report.message, report.exitCode);
  print(json ? JSON.stringify(report.record) : report.lines.join('\n'));
}

/** The same program in a session of its own, with nothing of this terminal but a channel until it is ready. */
function spawnJar(words: readonly string[], folder: string): ChildProcess {
  const [node, entry = ''] = process.argv;
  // Node keeps the code of each of its versions in a folder of its own below this one.
  const cache = getCompileCacheDir();
  // What Node itself writes when it crashes; the jar's own lines go to the log by their own way.
  const errors = existsSync(logPath(folder)) ? openSync(logPath(folder), 'a') : 'ignore';
  return spawn(node ?? process.execPath, [...process.execArgv, entry, 'start', ...words], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', errors, 'ipc'],
    env: { ...process.env, [DETACHED_MARK]: '1', ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }) },
  });
}

/** What the jar says of its start, or how it ended before. Ctrl-C gives up the start. */
function reported(jar: ChildProcess): Promise<StartReport> {
  return new Promise((resolve) => {
    const giveUp = (signal: NodeJS.Signals): void => {
      jar.kill('SIGTERM');
      resolve({ ready: false, message: 'the start was given up', exitCode: 128 + constants.signals[signal] });
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
