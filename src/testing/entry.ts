import { runInThisContext } from 'node:vm';
import type { OpenInProcess } from './in-process.ts';
import { starter } from './start.ts';

export { JarError } from '../client/error.ts';

const WANTED_MAJOR = 24;

// Before anything else: an older Node lacks modules that the server names, and would speak of those instead.
const { node } = process.versions;
if (Number.parseInt(node, 10) < WANTED_MAJOR) {
  throw new Error(
    `cloudjar/testing needs Node ${WANTED_MAJOR} (this is ${node}): run your tests with it, for instance by npx -p node@${WANTED_MAJOR} npm test`,
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
