import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './paths.mjs';
import { during } from './progress.mjs';
import { presentRuntime } from './runtime.mjs';
import { contentStamp, readOrEmpty, writeAtomically } from './stamp.mjs';

/**
 * `run`: what the jar is built from. `all`: also what tests, checks and types need, ten times as much, which npm has as a workspace of the project.
 * @typedef {'run' | 'all'} Level
 */

/** @param {string} folder */
const stampFile = (folder) => join(folder, 'node_modules', '.cloudjar-install');
/** @param {string} folder */
const wantedStamp = (folder) => contentStamp([join(folder, 'package.json'), join(folder, 'package-lock.json')]);

/**
 * Whether the folder's packages are those that its manifest and lock file ask for.
 * @param {Level} level
 */
export function isInstalled(level, folder = root) {
  const stamp = wantedStamp(folder);
  const found = readOrEmpty(stampFile(folder));
  return found === `all ${stamp}` || (level === 'run' && found === `run ${stamp}`);
}

/**
 * Brings node_modules in line with the lock file; does nothing when it is. Call it under the set-up lock.
 * @param {Level} level
 */
export async function install(level, folder = root) {
  if (isInstalled(level, folder)) return;
  const stamp = wantedStamp(folder);
  /** @type {Level} */
  let present = 'all';
  if (!lockIsSatisfied(folder)) {
    // Whoever has run the tests goes on with them: a start does not take their packages away.
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
  if (existsSync(stampFile(folder))) return ' (what the project needs has changed)';
  return folder === root && level === 'all' ? ' for tests and checks' : '';
}

/**
 * Not `npm ci`: it refuses a lock file that lacks a package for some other platform, and a registry that does not
 * carry all of those leaves them out. This installs what the lock file says just as well, and leaves it as it is.
 * @param {string} folder
 * @param {Level} level
 */
function npmInstall(folder, level) {
  const locked = existsSync(join(folder, 'package-lock.json'));
  const args = ['install', locked ? '--no-save' : '--no-package-lock'];
  return npm(level === 'run' ? [...args, '--workspaces=false'] : args, folder, presentRuntime());
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

/** npm links the commands of dependencies, not the project's own: with this, `npx cloudjar` works in the clone. */
function linkOwnCommand() {
  linkCommand('cloudjar', join(root, 'bin', 'cloudjar.mjs'));
}

/**
 * npm's scripts find this command before those of the machine. Windows has no such links without further rights, and does without: there a script
 * that runs on an older Node starts the fetched one as a process of its own.
 * @param {string} name
 * @param {string} target
 */
export function linkCommand(name, target) {
  if (process.platform === 'win32') return;
  const path = join(root, 'node_modules', '.bin', name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(relative(dirname(path), target), path);
}

/**
 * npm (and with it npx) trusts its record of what is installed only if nothing in node_modules is younger, and reads every package otherwise.
 * @param {string} folder
 */
function touchRecord(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  const now = new Date();
  if (existsSync(record)) utimesSync(record, now, now);
}
