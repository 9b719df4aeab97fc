import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const POLL_MS = 25;

/** A server that the test files of one run share: its address, or the reason why none is available. */
export type Shared<Server> = Server | { readonly reason: string };

/** Started by the first test that needs it, because most runs of a single file need none. `folder` is the run's folder. */
export async function sharedServer<Server extends object>(
  folder: string,
  name: string,
  start: () => Promise<Server>,
): Promise<Shared<Server>> {
  const answer = answerFile(folder, name);
  const starting = join(folder, `${name}.starting`);
  const mine = await mkdir(starting).then(
    () => true,
    () => false,
  );
  if (mine) {
    await writeFile(join(starting, 'pid'), String(process.pid));
    const shared = await start().catch((error: Error) => ({ reason: error.message }));
    await writeFile(`${answer}.new`, JSON.stringify(shared));
    await rename(`${answer}.new`, answer);
  }
  for (;;) {
    const text = await readFile(answer, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
    const starter = Number(await readFile(join(starting, 'pid'), 'utf8').catch(() => process.pid));
    if (!isAlive(starter)) return { reason: `the process that started ${name} has died` };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The server, if a test has started it. */
export async function startedServer<Server extends object>(folder: string, name: string): Promise<Server | undefined> {
  const text = await readFile(answerFile(folder, name), 'utf8').catch(() => undefined);
  const shared: Shared<Server> | undefined = text === undefined ? undefined : JSON.parse(text);
  return shared && !('reason' in shared) ? shared : undefined;
}

const answerFile = (folder: string, name: string): string => join(folder, `${name}.json`);

export async function lastLine(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim().split('\n').at(-1) ?? 'no reason given';
}

/** A zombie counts as ended: in a container the first process may take seconds to reap it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return stateOf(pid) !== 'Z';
  } catch {
    return false;
  }
}

/** The state in /proc, after the program name in parentheses. Undefined if the process does not exist. */
function stateOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return /.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}
