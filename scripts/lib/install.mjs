import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './paths.mjs';
import { batchFile } from './platform.mjs';
import { during } from './progress.mjs';
import { presentRuntime } from './runtime.mjs';
import { contentStamp, readOrEmpty, writeAtomically } from './stamp.mjs';

/**
 * `run`: packages that the jar is built from. `all`: also packages for tests, checks and types (ten times as much), which are an npm
 * workspace of the project.
 * @typedef {'run' | 'all'} Level
 */

/** @param {string} folder */
const stampFile = (folder) => join(folder, 'node_modules', '.cloudjar-install');
/** @param {string} folder */
const wantedStamp = (folder) => contentStamp([join(folder, 'package.json'), join(folder, 'package-lock.json')]);

/**
 * True if the folder's packages match its manifest and lock file.
 * @param {Level} level
 */
export function isInstalled(level, folder = root) {
  const stamp = wantedStamp(folder);
  const found = readOrEmpty(stampFile(folder));
  return found === `all ${stamp}` || (level === 'run' && found === `run ${stamp}`);
}

/**
 * Installs the packages of the lock file; does nothing if they are installed. Must be called under the set-up lock.
 * @param {Level} level
 */
export async function install(level, folder = root) {
  if (isInstalled(level, folder)) return;
  const stamp = wantedStamp(folder);
  /** @type {Level} */
  let present = 'all';
  if (!lockIsSatisfied(folder)) {
    // If the packages for tests are installed, a start does not remove them.
    present = readOrEmpty(stampFile(folder)).startsWith('all ') ? 'all' : level;
    await during(`installing packages${reason(folder, present)}`, () => npmInstall(folder, present));
  }
  if (folder === root) linkOwnCommand();
  mkdirSync(join(folder, 'node_modules', '.cache'), { recursive: true });
  writeAtomically(stampFile(folder), `${present} ${stamp}`);
  touchRecord(folder);
}

/**
 * @param {string} folder
 * @param {Level} level
 */
function reason(folder, level) {
  if (existsSync(stampFile(folder))) return ' (the required packages have changed)';
  return folder === root && level === 'all' ? ' for tests and checks' : '';
}

/**
 * Not `npm ci`: it refuses a lock file that lacks a package for another platform, and registries that do not carry all of those cause such
 * lock files. This command also installs what the lock file says, and does not change it.
 * @param {string} folder
 * @param {Level} level
 */
function npmInstall(folder, level) {
  const locked = existsSync(join(folder, 'package-lock.json'));
  const args = ['install', locked ? '--no-save' : '--no-package-lock'];
  return npm(level === 'run' ? [...args, '--workspaces=false'] : args, folder, presentRuntime());
}

/**
 * True if npm was run manually and everything is installed: npm records installed packages in a lock file of the same format inside
 * node_modules, which it writes last.
 * @param {string} folder
 */
export function lockIsSatisfied(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  const present = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [path, { version, optional, link }] of Object.entries(wanted)) {
    // The project itself and its workspaces, which are folders of the clone.
    if (link || !path.startsWith('node_modules/')) continue;
    // Packages for other platforms are locked but not installed.
    const found = present[path];
    if (found ? found.version !== version : !optional) return false;
  }
  return Object.entries(present).every(([path, { optional }]) => optional || path in wanted);
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }> | undefined}
 */
function packagesOf(lockFile) {
  const text = readOrEmpty(lockFile);
  return text === '' ? undefined : JSON.parse(text).packages;
}

/** npm links the commands of dependencies but not the project's own; with this link, `npx cloudjar` works in the clone. */
function linkOwnCommand() {
  linkCommand('cloudjar', join(root, 'bin', 'cloudjar.mjs'));
}

/**
 * npm scripts find this command before those of the machine. On Windows, symbolic links need extra rights: commands get a batch file
 * instead, and the fetched Node gets none, because a script that runs on an older Node starts the fetched one as a process of its own.
 * @param {string} name
 * @param {string} target
 */
export function linkCommand(name, target) {
  const path = join(root, 'node_modules', '.bin', name);
  mkdirSync(dirname(path), { recursive: true });
  if (process.platform === 'win32') {
    if (target.endsWith('.mjs')) writeFileSync(`${path}.cmd`, batchFile(dirname(path), target));
    return;
  }
  rmSync(path, { force: true });
  symlinkSync(relative(dirname(path), target), path);
}

/**
 * npm (and npx) trusts its record of installed packages only if nothing in node_modules is newer; otherwise it reads every package.
 * @param {string} folder
 */
function touchRecord(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  const now = new Date();
  if (existsSync(record)) utimesSync(record, now, now);
}
