import { setTimeout as pause } from 'node:timers/promises';
import { controlClient } from './control-client.ts';
import { CliError } from './errors.ts';
import type { FoundJar } from './find-jar.ts';
import { isRunning } from './jar-file.ts';
import { isCertainlySame } from './process-identity.ts';
import { answers, type RunningJarFile, statusOf } from './running.ts';

export interface Stopped {
  readonly url: string;
  readonly pid: number;
}

const LOOK_EVERY_MS = 50;
/** Added to the jar's own shutdown time: the process still has to exit. */
const SLACK_MS = 10_000;
/** For a jar that does not report its shutdown time. */
const SHUTDOWN_MS = 20_000;

interface Stopping {
  readonly pid: number;
  readonly timeoutMs: number;
}

/** Ends the jar of a file with a request, which works on every system; with a signal only if it does not answer. */
export async function stopProcess(jar: FoundJar, { file, status }: RunningJarFile): Promise<Stopped> {
  const { pid, url } = file;
  let timeoutMs = SHUTDOWN_MS;
  if (status) timeoutMs = (await ask({ ...jar, url })).timeoutMs;
  else if (isCertainlySame(file)) process.kill(pid, 'SIGTERM');
  else throw new CliError(`process ${pid} does not answer at ${url}; if it is a jar, end it with kill ${pid}`);
  await until(async () => !isRunning(file), timeoutMs, `process ${pid}`);
  return { url, pid };
}

/** Ends a jar of which only the address is known. */
export async function stopAtAddress(jar: FoundJar): Promise<Stopped[]> {
  const status = await statusOf(jar);
  if (status === 'none') return [];
  const { pid, timeoutMs } = await ask(jar);
  await until(async () => !(await answers(jar)), timeoutMs, `the jar at ${jar.url}`);
  return [{ url: jar.url, pid }];
}

const ask = async (jar: FoundJar): Promise<Stopping> => (await controlClient(jar).post('/_jar/stop')) as Stopping;

async function until(hasEnded: () => Promise<boolean>, timeoutMs: number, what: string): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs + SLACK_MS;
  while (!(await hasEnded())) {
    if (performance.now() > giveUpAt) throw new CliError(`${what} was asked to stop but still runs`);
    await pause(LOOK_EVERY_MS);
  }
}
