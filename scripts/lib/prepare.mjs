import { build, isBuilt } from './build.mjs';
import { install, isInstalled, linkCommand } from './install.mjs';
import { withLock } from './lock.mjs';
import { root } from './paths.mjs';
import { ensureRuntime, presentRuntime } from './runtime.mjs';
import { SetupError } from './say.mjs';

/**
 * Prepares the clone and returns the path of the Node to run it with. If everything is in place, which is the usual case, it only compares
 * file times.
 * @param {import('./install.mjs').Level} level the purpose: to run the jar, or also tests and checks
 * @returns {Promise<string>}
 */
export async function prepare(level) {
  const present = presentRuntime();
  if (present && isInstalled(level) && isBuilt()) return present;
  try {
    // In parallel: one waits for the network while the other unpacks.
    const [node] = await Promise.all([ensureRuntime(), withLock('set-up', () => installAndBuild(level))]);
    if (node !== process.execPath) linkCommand('node', node);
    return node;
  } catch (error) {
    const { code, path } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
    throw new SetupError(`cannot write ${path ?? root}: the set-up must run as a user who may write to this folder`);
  }
}

/** @param {import('./install.mjs').Level} level */
async function installAndBuild(level) {
  await install(level);
  await build();
}
