import { join } from 'node:path';
import { install } from './install.mjs';
import { withLock } from './lock.mjs';
import { root } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { checkTypes, runTool } from './tools.mjs';

/**
 * Prepares everything for tests, checks the types and runs the tests.
 * @param {string[]} args for Vitest
 */
export async function runTests(args) {
  const node = await prepare('all');
  const [types] = await Promise.all([checkTypes(node), installTestServers()]);
  return types === 0 ? runTool(node, 'vitest', ['run', ...args]) : types;
}

/** Installs the npm packages of servers that tests start. They are separate, because a start does not need them. */
export function installTestServers() {
  return withLock('test-servers', () => install('all', join(root, 'test', 'servers')));
}
