// Differences between Linux, macOS and Windows, as functions of facts about the machine, so that tests cover every system on any system.
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
 * The system's cache folder for a user's programs.
 * @param {System} system
 */
export function cacheFolder({ platform, env, home }) {
  const { isAbsolute, join } = pathsOf(platform);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'cloudjar');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'cloudjar');
  // The XDG specification says to ignore a relative path.
  const base = env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : join(home, '.cache');
  return join(base, 'cloudjar');
}

/**
 * npm's default cache folder.
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
 * The address of a socket that only processes of this machine can reach. Linux has abstract names that are not files, Windows has pipes;
 * elsewhere it is a file, which remains after a process was killed.
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
 * Which signals a process survives while a program that it started runs, and whether it forwards them. It always stays until the program
 * has ended. On Windows it forwards none: a console sends Ctrl-C, Ctrl-Break and its closing to all of its processes, and `kill` would end
 * the program immediately, before it has closed its resources.
 * @param {string} platform
 * @returns {{ outlived: NodeJS.Signals[], passedOn: boolean }}
 */
export function signalsFor(platform) {
  return platform === 'win32'
    ? { outlived: ['SIGINT', 'SIGBREAK', 'SIGHUP'], passedOn: false }
    : { outlived: ['SIGINT', 'SIGTERM', 'SIGHUP'], passedOn: true };
}

/**
 * How to run npm without a shell. On Windows `npm` is a batch file, which Node can only start with a shell; the program behind it is a
 * JavaScript file. The npm that runs this script is preferred, then the one of this Node, then the one on the PATH.
 * @param {{ platform: string, env: System['env'], execPath: string, isFile: (path: string) => boolean }} system
 * @param {string} node that runs it
 * @returns {{ command: string, args: string[] } | undefined} undefined if npm is missing
 */
export function npmCommand({ platform, env, execPath, isFile }, node) {
  const { basename, delimiter, dirname, join } = pathsOf(platform);
  const below = (/** @type {string} */ folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const bin = dirname(execPath);
  const searched = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = [
    // Other package managers set it to their own program.
    ...(basename(env.npm_execpath ?? '') === 'npm-cli.js' ? [env.npm_execpath ?? ''] : []),
    below(platform === 'win32' ? bin : join(bin, '..', 'lib')),
    ...(platform === 'win32' ? searched.map(below) : []),
  ];
  const found = places.find(isFile);
  if (found !== undefined) return { command: node, args: [found] };
  return platform === 'win32' ? undefined : { command: 'npm', args: [] };
}

/**
 * A batch file that runs a JavaScript file, as npm writes them; on Windows only administrators may create symbolic links.
 * @param {string} folder of the batch file
 * @param {string} target
 */
export function batchFile(folder, target) {
  return `@node "%~dp0${win32.relative(folder, target)}" %*\r\n`;
}
