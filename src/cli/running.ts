import { controlClient, keySource, send } from './control-client.ts';
import { type FoundJar, findJar } from './find-jar.ts';
import { type FoundJarFile, isRunning, readJarFiles } from './jar-file.ts';
import { WrongAdminKey } from './refused.ts';

/** Answer of `GET /_jar/status`. */
export interface JarStatus {
  readonly status: 'ready' | 'degraded';
  readonly troubles: readonly { readonly part: string; readonly reason: string }[];
  readonly version: string;
  readonly node: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly smtpPort: number;
  readonly publicUrl: readonly string[];
  readonly data: string | null;
  readonly store: string;
  readonly clock: string;
  readonly now: string;
  readonly services: Readonly<Record<string, string>>;
}

export interface RunningJarFile {
  readonly file: FoundJarFile;
  /** Undefined if the process runs but gives no status. */
  readonly status: JarStatus | undefined;
  /** Why a running process gives no status. */
  readonly problem?: string;
}

/**
 * The jars that run on a data folder, the last started first. A jar's file has its address, and its answer is compared with the file: the
 * process id or the address may belong to something else by now.
 */
export async function runningJars(folder: string): Promise<RunningJarFile[]> {
  const found = await Promise.all(readJarFiles(folder).map((file) => look(folder, file)));
  return found.filter((each) => each !== undefined);
}

async function look(folder: string, file: FoundJarFile): Promise<RunningJarFile | undefined> {
  const status = await statusOf({ ...findJar({ data: folder, url: file.url }), folder });
  if (status === 'none') return undefined;
  if (typeof status === 'object') return isOf(file, status) ? { file, status } : undefined;
  // The jar hangs, or another program uses its port.
  if (!isRunning(file)) return undefined;
  const problem = status === 'locked' ? `requires another admin key than ${keySource({ folder })}` : 'does not answer';
  return { file, status: undefined, problem: `process ${file.pid} at ${file.url} ${problem}` };
}

const isOf = ({ pid, startedAt }: FoundJarFile, status: JarStatus): boolean =>
  status.pid === pid && status.startedAt === startedAt;

/** A working jar answers immediately; a jar that hangs must not block the command. */
const PATIENCE_MS = 5000;

/** `none`: nothing listens. `locked`: a jar requires another key. `silent`: something listens but does not answer like a jar. */
export async function statusOf(jar: FoundJar): Promise<JarStatus | 'none' | 'locked' | 'silent'> {
  try {
    return (await controlClient({ ...jar, patienceMs: PATIENCE_MS }).get('/_jar/status')) as JarStatus;
  } catch (error) {
    if (error instanceof WrongAdminKey) return 'locked';
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    return cause?.code === 'ECONNREFUSED' ? 'none' : 'silent';
  }
}

/** True if anything listens at the address. */
export async function answers(jar: FoundJar): Promise<boolean> {
  try {
    await send({ ...jar, patienceMs: PATIENCE_MS }, 'GET', '/_jar/health/live');
    return true;
  } catch {
    return false;
  }
}
