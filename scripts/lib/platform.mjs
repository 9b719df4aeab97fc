// What differs between Linux, macOS and Windows, as functions of the machine's facts: a test asks them for each system, whichever it runs on.
import { posix, win32 } from 'node:path';

/**
 * @typedef {object} System
 * @property {string} platform
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} home
 */

/** @param {string} platform */
export const pathsOf = (platform) => (platform === 'win32' ? win32 : posix);

/**
 * Where the system keeps what a program of the user can make again.
 * @param {System} system
 */
export function cacheFolder({ platform, env, home }) {
  const { isAbsolute, join } = pathsOf(platform);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'cloudjar');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'cloudjar');
  // The specification of XDG has a relative path ignored.
  const base = env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : join(home, '.cache');
  return join(base, 'cloudjar');
}

/**
 * Where npm keeps its downloads unless it is told otherwise.
 * @param {System} system
 */
export function npmCacheFolder({ platform, env, home }) {
  const { join } = pathsOf(platform);
  if (env.npm_config_cache) return env.npm_config_cache;
  return platform === 'win32'
    ? join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'npm-cache')
    : join(home, '.npm');
}

/**
 * The address of a socket that only processes of this machine reach. Linux has names that are not files, Windows has pipes; elsewhere it is a file, which
 * outlives a process that was killed.
 * @param {{ platform: string, tmp: string }} system
 * @param {string} id
 * @returns {{ address: string, isFile: boolean }}
 */
export function localSocket({ platform, tmp }, id) {
  if (platform === 'linux') return { address: `\0${id}`, isFile: false };
  if (platform === 'win32') return { address: `\\\\.\\pipe\\${id}`, isFile: false };
  return { address: posix.join(tmp, id), isFile: true };
}

/**
 * What to do about the signals that a process gets while a program that it started runs. It stays until that has ended, in every case.
 * On Windows it passes none on: a console sends Ctrl-C, Ctrl-Break and its end to all of its processes, and `kill` would end the program at once, before
 * it has closed what it has open.
 * @param {string} platform
 * @returns {{ outlived: NodeJS.Signals[], passedOn: boolean }}
 */
export function signalsFor(platform) {
  return platform === 'win32'
    ? { outlived: ['SIGINT', 'SIGBREAK', 'SIGHUP'], passedOn: false }
    : { outlived: ['SIGINT', 'SIGTERM', 'SIGHUP'], passedOn: true };
}

/**
 * How npm is run without a shell. On Windows `npm` is a batch file, which Node starts by a shell only; the program behind it is a file for Node.
 * The npm that runs this comes first, then the one that came with this Node, then that of the PATH.
 * @param {{ platform: string, env: System['env'], execPath: string, isFile: (path: string) => boolean }} system
 * @param {string} node that runs it
 * @returns {{ command: string, args: string[] } | undefined} undefined where there is no npm
 */
export function npmCommand({ platform, env, execPath, isFile }, node) {
  const { basename, delimiter, dirname, join } = pathsOf(platform);
  const below = (/** @type {string} */ folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const bin = dirname(execPath);
  const searched = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = [
    // Other package managers set it to a program of their own.
    ...(basename(env.npm_execpath ?? '') === 'npm-cli.js' ? [env.npm_execpath ?? ''] : []),
    below(platform === 'win32' ? bin : join(bin, '..', 'lib')),
    ...(platform === 'win32' ? searched.map(below) : []),
  ];
  const found = places.find(isFile);
  if (found !== undefined) return { command: node, args: [found] };
  return platform === 'win32' ? undefined : { command: 'npm', args: [] };
}

/**
 * A batch file that runs a program for Node by its name, as npm writes them; Windows has symbolic links for administrators only.
 * @param {string} folder of the batch file
 * @param {string} target
 */
export function batchFile(folder, target) {
  return `@node "%~dp0${win32.relative(folder, target)}" %*\r\n`;
}
