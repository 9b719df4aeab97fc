import { controlClient, keySource, send } from './control-client.ts';
import { type FoundJar, findJar } from './find-jar.ts';
import { type FoundJarFile, isRunning, readJarFiles } from './jar-file.ts';
import { OtherKey } from './refused.ts';

/** What `GET /_jar/status` answers. */
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
  /** Absent where the process is there and does not say it. */
  readonly status: JarStatus | undefined;
  /** Why it does not, where it is there. */
  readonly problem?: string;
}

/**
 * The jars that run on a data folder, the last started first. The file of each says where it is, and its answer says that it is the
 * one of the file: an id can belong to another process by now, and an address to another jar.
 */
export async function runningJars(folder: string): Promise<RunningJarFile[]> {
  const found = await Promise.all(readJarFiles(folder).map((file) => look(folder, file)));
  return found.filter((each) => each !== undefined);
}

async function look(folder: string, file: FoundJarFile): Promise<RunningJarFile | undefined> {
  const status = await statusOf({ ...findJar({ data: folder, url: file.url }), folder });
  if (status === 'none') return undefined;
  if (typeof status === 'object') return isOf(file, status) ? { file, status } : undefined;
  // It hangs, or something else listens there by now.
  if (!isRunning(file)) return undefined;
  const problem = status === 'locked' ? `has another admin key than ${keySource({ folder })}` : 'does not answer';
  return { file, status: undefined, problem: `process ${file.pid} at ${file.url} ${problem}` };
}

const isOf = ({ pid, startedAt }: FoundJarFile, status: JarStatus): boolean =>
  status.pid === pid && status.startedAt === startedAt;

/** A jar that works answers this at once; one that hangs must not keep the command. */
const PATIENCE_MS = 5000;

/** `none` where nobody listens, `locked` where a jar wants another key, `silent` where somebody listens and does not say what a jar says. */
export async function statusOf(jar: FoundJar): Promise<JarStatus | 'none' | 'locked' | 'silent'> {
  try {
    return (await controlClient({ ...jar, patienceMs: PATIENCE_MS }).get('/_jar/status')) as JarStatus;
  } catch (error) {
    if (error instanceof OtherKey) return 'locked';
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    return cause?.code === 'ECONNREFUSED' ? 'none' : 'silent';
  }
}

/** Whether anything listens at the address. */
export async function answers(jar: FoundJar): Promise<boolean> {
  try {
    await send({ ...jar, patienceMs: PATIENCE_MS }, 'GET', '/_jar/health/live');
    return true;
  } catch {
    return false;
  }
}
