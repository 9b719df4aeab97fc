import { runInThisContext } from 'node:vm';
import type { OpenInProcess } from './in-process.ts';
import { starter } from './start.ts';

export { JarError } from '../client/error.ts';

/** Equal to `OLDEST_NODE` in scripts/lib/runtime.mjs. */
const OLDEST_NODE = [24, 11] as const;

// Checked first: an older Node lacks modules that the server imports, and the error would name those instead.
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const [oldestMajor, oldestMinor] = OLDEST_NODE;
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  throw new Error(
    `cloudjar/testing needs Node ${oldestMajor}.${oldestMinor} or newer (this is ${node}): run your tests with it, for example with npx -p node@${oldestMajor} npm test`,
  );
}

/** The export of the package: the server is loaded with the first jar. */
export const startJar = starter(loadServer);

/**
 * Jest, and Vitest with a pool of vm contexts, give a test its own realm and module loader, which would load the whole server again for
 * each test file and cannot load parts of it later. So the server is loaded by the Node outside: once per process.
 */
function loadServer(): OpenInProcess {
  const host = runInThisContext('process') as typeof process;
  const require = host.getBuiltinModule('node:module').createRequire(import.meta.url);
  return (require('./in-process.js') as typeof import('./in-process.ts')).openInProcess;
}
