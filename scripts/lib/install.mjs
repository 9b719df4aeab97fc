import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './paths.mjs';
import { ensureRuntime } from './runtime.mjs';
import { say } from './say.mjs';
import { contentStamp, readOrEmpty, writeAtomically } from './stamp.mjs';

/** @param {string} folder */
const stampFile = (folder) => join(folder, 'node_modules', '.cloudjar-install');
/** @param {string} folder */
const wantedStamp = (folder) => contentStamp([join(folder, 'package.json'), join(folder, 'package-lock.json')]);

/** Whether the folder's packages are those that its manifest and lock file ask for. */
export function isInstalled(folder = root) {
  return readOrEmpty(stampFile(folder)) === wantedStamp(folder);
}

/** Brings node_modules in line with the lock file; does nothing when it is. Call it under the set-up lock. */
export async function install(folder = root) {
  if (isInstalled(folder)) return;
  const stamp = wantedStamp(folder);
  if (!lockIsSatisfied(folder)) {
    const fresh = !existsSync(join(folder, 'node_modules'));
    say(`installing packages (${fresh ? 'none are installed yet' : 'package.json or package-lock.json changed'})`);
    // Not `npm ci`: it refuses a lock file that lacks a package for some other platform, and a registry that does not
    // carry all of those leaves them out. This installs what the lock file says just as well, and leaves it as it is.
    const locked = existsSync(join(folder, 'package-lock.json'));
    // Unpacking takes the later Node a third less of processor time.
    await npm(['install', locked ? '--no-save' : '--no-package-lock'], folder, await ensureRuntime());
  }
  if (folder === root) linkOwnCommand();
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeAtomically(stampFile(folder), stamp);
}

/**
 * Whether somebody ran npm by hand and all is in place: npm records what it installed in a lock file of the same
 * shape inside node_modules, and writes it last.
 * @param {string} folder
 */
export function lockIsSatisfied(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  const present = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === '') continue;
    // Packages for other platforms are locked but not installed.
    const found = present[path];
    if (found ? found.version !== version : !optional) return false;
  }
  return Object.entries(present).every(([path, { optional }]) => optional || path in wanted);
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
 */
function packagesOf(lockFile) {
  const text = readOrEmpty(lockFile);
  return text === '' ? undefined : JSON.parse(text).packages;
}

/** npm links the commands of dependencies, not the project's own: with this, `npx cloudjar` works in the clone. */
function linkOwnCommand() {
  const bin = join(root, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'cloudjar'), { force: true });
  symlinkSync('../../bin/cloudjar.mjs', join(bin, 'cloudjar'));
}
