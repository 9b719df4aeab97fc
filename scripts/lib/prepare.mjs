import { build, isBuilt } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { isClone, root } from './paths.mjs';
import { ensureRuntime, presentRuntime } from './runtime.mjs';
import { SetupError } from './say.mjs';

/**
 * Makes the clone ready to run and returns the path of the Node to run it with. When all is in place, which is the
 * usual case, this costs a look at the files' times.
 * @returns {Promise<string>}
 */
export async function prepare() {
  if (!isClone) return ensureRuntime();
  const present = presentRuntime();
  if (present && isInstalled() && isBuilt()) return present;
  try {
    const node = await ensureRuntime();
    await withLock('set-up', installAndBuild);
    return node;
  } catch (error) {
    const { code, path } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
    throw new SetupError(`cannot write ${path ?? root}: the set-up must run as a user who may write to this folder`);
  }
}

async function installAndBuild() {
  await install();
  await build();
}
