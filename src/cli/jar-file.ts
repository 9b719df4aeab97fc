import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../data-folder.ts';

/** What a running jar leaves in its data folder, so that the other commands find it. */
export interface JarFile {
  readonly pid: number;
  readonly url: string;
  readonly httpsUrl: string;
  readonly version: string;
  readonly startedAt: string;
}

const NAME = 'jar.json';

export async function writeJarFile(folder: string, jar: JarFile): Promise<void> {
  await writeWhole(folder, NAME, `${JSON.stringify(jar, null, 2)}\n`, 0o600);
}

/** `undefined` when there is none, or none that can be understood. */
export function readJarFile(folder: string): JarFile | undefined {
  try {
    const jar = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as Partial<JarFile> | null;
    return typeof jar?.url === 'string' && typeof jar.pid === 'number' ? (jar as JarFile) : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves alone what another jar on the same folder has written since. */
export function removeJarFile(folder: string, { pid, url }: JarFile): void {
  const current = readJarFile(folder);
  if (current?.pid === pid && current.url === url) rmSync(join(folder, NAME), { force: true });
}

/** Whether the process that wrote the file is still there, as far as this process can tell. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
