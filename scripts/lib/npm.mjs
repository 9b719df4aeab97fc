import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir, constants as system } from 'node:os';
import { dirname, join } from 'node:path';
import { pathWith, run } from './children.mjs';
import { runtimeDir } from './paths.mjs';
import { npmCacheFolder, npmCommand } from './platform.mjs';
import { SetupError } from './say.mjs';

// `npm start` passes its own settings down in the environment. These would change what is installed, or where.
const NOT_INHERITED =
  /^npm_config_(prefix|local_prefix|global|omit|include|only|production|dry_run|workspace|workspaces)$/i;
const NO_REGISTRY =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** Exit status of a program that was ended by a signal. npm uses other values above 128 for system errors, such as 228 for a full disk. */
const OF_A_SIGNAL = new Set(
  [system.signals.SIGHUP, system.signals.SIGINT, system.signals.SIGKILL, system.signals.SIGTERM].map(
    (each) => 128 + each,
  ),
);

const NOISE = /^npm error\s*(at .*)?$|A complete log of this run/;

/**
 * Runs npm quietly; if it fails, throws an error with npm's output.
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} [node] that runs it
 */
export async function npm(args, cwd, node = process.execPath) {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
  const env = { ...Object.fromEntries(kept), PATH: pathWith(node) };
  // Without it, NODE_ENV=production would leave out the tools that build and test.
  const quiet = [
    '--include=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const program = npmProgram(node);
  let output = '';
  const code = await run(program.command, [...program.args, ...args, ...quiet, ...cacheOption()], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput: (text) => {
      output += text;
    },
  }).catch((error) => {
    throw new SetupError(`npm could not be started: ${error.message}`);
  });
  if (code === 0) return;
  throw new SetupError(describeFailure(args[0] ?? '', code, output));
}

/**
 * The command that runs npm; throws an error with advice if npm is missing.
 * @param {string} [node] that runs it
 */
export function npmProgram(node = process.execPath) {
  const { platform, env, execPath } = process;
  const isFile = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const program = npmCommand({ platform, env, execPath, isFile }, node);
  if (!program) throw new SetupError('npm was not found beside node, nor in the PATH: please install Node with npm');
  return program;
}

/**
 * @param {string} command
 * @param {number} code
 * @param {string} output
 */
export function describeFailure(command, code, output) {
  if (OF_A_SIGNAL.has(code)) return `npm ${command} was interrupted`;
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !NOISE.test(line));
  const headline = NO_REGISTRY.test(output)
    ? `npm ${command} could not reach the package registry; it is needed once, then the installation is kept`
    : `npm ${command} failed with status ${code}`;
  return [`${headline}. npm said:`, ...lines.slice(0, 12).map((line) => `  ${line}`)].join('\n');
}

/** A user without a writable home folder (a service account, a container) gets a cache folder in the clone. */
function cacheOption() {
  const wanted = npmCacheFolder({ platform: process.platform, env: process.env, home: homedir() });
  return canWrite(wanted) ? [] : ['--cache', join(runtimeDir, 'npm-cache')];
}

/**
 * @param {string} path
 * @returns {boolean}
 */
function canWrite(path) {
  if (!existsSync(path)) return dirname(path) !== path && canWrite(dirname(path));
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
