import { runInThisContext } from 'node:vm';
import type { OpenInProcess } from './in-process.ts';
import { starter } from './start.ts';

export { JarError } from '../client/error.ts';

/** The same as `OLDEST_NODE` of scripts/lib/runtime.mjs. */
const OLDEST_NODE = [24, 11] as const;

// Before anything else: an older Node lacks modules that the server names, and would speak of those instead.
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const [oldestMajor, oldestMinor] = OLDEST_NODE;
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  throw new Error(
    `cloudjar/testing needs Node ${oldestMajor}.${oldestMinor} or newer (this is ${node}): run your tests with it, for instance by npx -p node@${oldestMajor} npm test`,
  );
}

/** What the package exports: the server itself is loaded with the first jar. */
export const startJar = starter(loadServer);

/**
 * Jest, and Vitest with a pool of vm contexts, give a test a realm and a module loader of its own, which would load the whole server anew for
 * each test file and cannot load parts of it later. The server is loaded by the Node that runs all of them instead: once for each process.
 */
function loadServer(): OpenInProcess {
  const host = runInThisContext('process') as typeof process;
  const require = host.getBuiltinModule('node:module').createRequire(import.meta.url);
  return (require('./in-process.js') as typeof import('./in-process.ts')).openInProcess;
}
