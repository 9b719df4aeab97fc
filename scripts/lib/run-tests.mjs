import { join } from 'node:path';
import { install } from './install.mjs';
import { withLock } from './lock.mjs';
import { root } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { checkTypes, runTool } from './tools.mjs';

/**
 * Makes all ready that tests need, checks the types and runs the tests.
 * @param {string[]} args for Vitest
 */
export async function runTests(args) {
  const node = await prepare();
  const [types] = await Promise.all([
    checkTypes(node),
    withLock('test-servers', () => install(join(root, 'test', 'servers'))),
  ]);
  return types === 0 ? runTool(node, 'vitest', ['run', ...args]) : types;
}
