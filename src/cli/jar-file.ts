import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../jar/data-folder.ts';
import { isSameProcess, type KnownProcess, ownContainer } from './process-identity.ts';

/** A file that a running jar keeps in its data folder, so that other commands find it. */
export interface JarFile extends KnownProcess {
  readonly url: string;
  readonly httpsUrl: string;
  readonly version: string;
  readonly startedAt: string;
}

/** One file per process, so that jars that share a folder, even from several containers, do not overwrite each other's files. */
export const jarFileName = (pid: number, container = ownContainer()): string =>
  container === undefined ? `jar-${pid}.json` : `jar-${pid}-${container}.json`;
const NAMES = /^jar-\d+(?:-[\w.-]+)?\.json$/;

export interface FoundJarFile extends JarFile {
  readonly path: string;
}

export async function writeJarFile(folder: string, jar: JarFile, container = ownContainer()): Promise<void> {
  // Removes files of killed jars. Jars of other containers are skipped, because this process cannot see whether they run.
  for (const file of readJarFiles(folder)) {
    const isOfHere = file.path === join(folder, jarFileName(file.pid, container));
    if (isOfHere && !isRunning(file)) rmSync(file.path, { force: true });
  }
  await writeWhole(folder, jarFileName(jar.pid, container), `${JSON.stringify(jar, null, 2)}\n`, 0o600);
}

/** The file of the running jar that was started last; if none runs, of the last jar that ran, so that a command can report its end. */
export function readJarFile(folder: string): FoundJarFile | undefined {
  const newestFirst = readJarFiles(folder);
  return newestFirst.find(isRunning) ?? newestFirst[0];
}

/** The readable files, the last started jar first. */
export function readJarFiles(folder: string): FoundJarFile[] {
  const found = listFolder(folder)
    .filter((name) => NAMES.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const jar = parse(path);
      const isWhole = typeof jar?.url === 'string' && typeof jar.pid === 'number' && typeof jar.startedAt === 'string';
      return isWhole ? [{ ...(jar as JarFile), path }] : [];
    });
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function parse(path: string): Partial<JarFile> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<JarFile> | null;
  } catch {
    return null;
  }
}

export function removeJarFile(folder: string, { pid }: JarFile, container = ownContainer()): void {
  rmSync(join(folder, jarFileName(pid, container)), { force: true });
}

/** True if the process that wrote the file still runs, as far as this process can tell. */
export const isRunning = (file: JarFile): boolean => isSameProcess(file);
