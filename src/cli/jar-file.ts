import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../jar/data-folder.ts';
import { isSameProcess, type KnownProcess, ownContainer } from './process-identity.ts';

/** What a running jar leaves in its data folder, so that the other commands find it. */
export interface JarFile extends KnownProcess {
  readonly url: string;
  readonly httpsUrl: string;
  readonly version: string;
  readonly startedAt: string;
}

/** One file per process: jars that share a folder, also from several containers, come and go without touching what the others have written. */
export const jarFileName = (pid: number, container = ownContainer()): string =>
  container === undefined ? `jar-${pid}.json` : `jar-${pid}-${container}.json`;
const NAMES = /^jar-\d+(?:-[\w.-]+)?\.json$/;

export interface FoundJarFile extends JarFile {
  readonly path: string;
}

export async function writeJarFile(folder: string, jar: JarFile, container = ownContainer()): Promise<void> {
  // What jars left behind that were killed; nobody else would ever remove it. Whether a jar of another container runs is not seen from here.
  for (const file of readJarFiles(folder)) {
    const isOfHere = file.path === join(folder, jarFileName(file.pid, container));
    if (isOfHere && !isRunning(file)) rmSync(file.path, { force: true });
  }
  await writeWhole(folder, jarFileName(jar.pid, container), `${JSON.stringify(jar, null, 2)}\n`, 0o600);
}

/**
 * Of the jars that run on the folder the one that was started last; when none does, the last that did, so that a command
 * can say what became of it.
 */
export function readJarFile(folder: string): FoundJarFile | undefined {
  const newestFirst = readJarFiles(folder);
  return newestFirst.find(isRunning) ?? newestFirst[0];
}

/** Those that can be understood, the last started first. */
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

/** Whether the process that wrote the file is still there, as far as this process can tell. */
export const isRunning = (file: JarFile): boolean => isSameProcess(file);
