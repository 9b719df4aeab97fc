import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../scripts/lib/lock.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { existingFile } from './existing-file.ts';

const exec = promisify(execFile);
const LARGEST_OUTPUT = 64 * 1024 * 1024;

export const NPM_QUIETLY = ['--no-audit', '--no-fund', '--no-update-notifier', '--prefer-offline', '--loglevel=error'];

/**
 * The package as `npm pack` creates it from a fresh clone: the files that git knows, in a separate folder, with nothing built. It is
 * created again only if a file changes; the test files of a run share it.
 */
export async function packedTarball(): Promise<string> {
  const files = await filesOfClone();
  const cache = join(root, 'node_modules', '.cache', 'cloudjar-packed');
  const tarball = join(cache, `cloudjar-${contentOf(files)}.tgz`);
  return existingFile(tarball) ?? withLock('pack', async () => existingFile(tarball) ?? (await pack(files, tarball)));
}

async function pack(files: readonly string[], tarball: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-pack-'));
  try {
    const clone = join(folder, 'clone');
    for (const file of files) cpSync(join(root, file), join(clone, file));
    // The packages of this clone, which saves the installation; nothing is written to them.
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    // The same for the packages that build the documentation site and the console, which these commands install.
    await exec(process.execPath, ['scripts/docs.mjs'], { cwd: root, maxBuffer: LARGEST_OUTPUT });
    symlinkSync(join(root, 'site/node_modules'), join(clone, 'site/node_modules'));
    await exec(process.execPath, ['scripts/console.mjs'], { cwd: root, maxBuffer: LARGEST_OUTPUT });
    symlinkSync(join(root, 'console/node_modules'), join(clone, 'console/node_modules'));
    await exec('npm', ['pack', '--pack-destination', folder, ...NPM_QUIETLY], {
      cwd: clone,
      maxBuffer: LARGEST_OUTPUT,
    });
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    rmSync(dirname(tarball), { recursive: true, force: true });
    mkdirSync(dirname(tarball), { recursive: true });
    renameWhole(join(folder, name), tarball);
    return tarball;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tracked files, and new files that are not ignored. */
async function filesOfClone(): Promise<string[]> {
  const { stdout } = await exec('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: LARGEST_OUTPUT,
  });
  return stdout.split('\0').filter((file) => file !== '' && existingFile(join(root, file)));
}

/** Excludes tests and benchmarks, which are not part of the package and change most often. */
const IN_PACKAGE = /^(?!test\/|bench\/|tools\/)/;

function contentOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) if (IN_PACKAGE.test(file)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Moves a file atomically, also from another file system. */
function renameWhole(from: string, to: string): void {
  cpSync(from, `${to}.part`);
  renameSync(`${to}.part`, to);
}
