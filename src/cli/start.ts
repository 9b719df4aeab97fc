import { openJar, type RunningJar } from '../jar/index.ts';
import { VERSION } from '../version.ts';
import { readyLines, readyRecord } from './banner.ts';
import { failedStart, isDetached, reportStart } from './detached.ts';
import { type JarFile, removeJarFile, writeJarFile } from './jar-file.ts';
import { keepRunning } from './lifetime.ts';
import { LogFile, logPath } from './log-file.ts';
import { ownProcessStart } from './process-identity.ts';
import { reachable } from './reachable.ts';
import { readConfig } from './read-config.ts';
import { readStartArguments, type StartArguments } from './start-arguments.ts';

/** What the caller must do if no jar was started in this process. */
export type RemainingStep = 'help' | { readonly detach: StartArguments };

/** Runs a jar until it is stopped, unless help or a jar in the background is requested. */
export async function start(args: readonly string[]): Promise<RemainingStep | undefined> {
  const given = readStartArguments(args);
  if (given.help) return 'help';
  if (isDetached()) await run(given).catch(tellFailure);
  else if (given.detach) return { detach: given };
  else await run(given);
  return undefined;
}

async function tellFailure(error: unknown): Promise<never> {
  await reportStart(failedStart(error));
  throw error;
}

async function run({ flags, json }: StartArguments): Promise<void> {
  const { config, above } = readConfig(flags);
  // A closed stdout, as in `cloudjar start | head -1`, must not stop the jar.
  process.stdout.on('error', () => {});
  const detached = isDetached();
  let stop = (): void => {};
  const running = await openJar({
    config,
    stop: () => stop(),
    ...(detached && { logStream: new LogFile(config.data) }),
  });
  const file = await announce(running);
  const { log } = running.jar;
  stop = keepRunning({
    log,
    close: async () => {
      if (running.folder !== undefined) removeJarFile(running.folder, file);
      await running.close();
    },
    say: (record) => {
      if (detached) log.info(record, `the jar is ${record.event}`);
      else if (json) print(JSON.stringify(record));
    },
  });
  const givenData = flags.data === undefined ? undefined : config.data;
  const facts = {
    config,
    running,
    version: VERSION,
    givenData,
    above,
    log: detached ? logPath(config.data) : undefined,
  };
  if (detached) {
    log.info({ pid: process.pid, version: VERSION }, `the jar is ready on ${running.url}`);
    await reportStart({ ready: true, lines: readyLines(facts), record: readyRecord(facts) });
  } else print(json ? JSON.stringify(readyRecord(facts)) : readyLines(facts).join('\n'));
}

async function announce(running: RunningJar): Promise<JarFile> {
  const processStart = ownProcessStart();
  const file = {
    pid: process.pid,
    url: reachable(running.url),
    httpsUrl: reachable(running.httpsUrl),
    version: VERSION,
    startedAt: running.startedAt,
    ...(processStart !== undefined && { processStart }),
  };
  try {
    if (running.folder !== undefined) await writeJarFile(running.folder, file);
    return file;
  } catch (error) {
    await running.close();
    throw error;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
