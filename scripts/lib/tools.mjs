import { delimiter, dirname, join } from 'node:path';
import { run } from './children.mjs';
import { root } from './paths.mjs';

/** Entry files of the installed tools: run directly, so that it is the chosen Node that runs them. */
const TOOLS = {
  tsc: 'node_modules/typescript/bin/tsc',
  biome: 'node_modules/@biomejs/biome/bin/biome',
  vitest: 'node_modules/vitest/vitest.mjs',
};

/**
 * Runs a file of this clone with a given Node, which is also the `node` of whatever that starts.
 * @param {string} node
 * @param {string} file
 * @param {string[]} args
 */
export function runFile(node, file, args) {
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  return run(node, [join(root, file), ...args], { cwd: root, env: { ...process.env, PATH } });
}

/**
 * @param {string} node
 * @param {keyof typeof TOOLS} tool
 * @param {string[]} args
 */
export function runTool(node, tool, args) {
  return runFile(node, TOOLS[tool], args);
}

/** What was found in order stays so until its file, or one that it imports, changes: the check before a test run costs the rest alone. */
const TYPES_SEEN = 'node_modules/.cache/cloudjar-types.tsbuildinfo';

/** @param {string} node */
export function checkTypes(node) {
  return runTool(node, 'tsc', ['--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', TYPES_SEEN]);
}
