import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathWith, run } from './children.mjs';
import { root } from './paths.mjs';
import { readOrEmpty, statStamp, writeAtomically } from './stamp.mjs';

/** Entry files of the installed tools: run directly, so that the chosen Node runs them. */
const TOOLS = {
  tsc: 'node_modules/typescript/bin/tsc',
  biome: 'node_modules/@biomejs/biome/bin/biome',
  vitest: 'node_modules/vitest/vitest.mjs',
};

/**
 * Runs a file of this clone with a given Node, which is also the `node` on the PATH of its child processes.
 * @param {string} node
 * @param {string} file
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function runFile(node, file, args, env) {
  return run(node, [join(root, file), ...args], { cwd: root, env: { ...process.env, ...env, PATH: pathWith(node) } });
}

/**
 * @param {string} node
 * @param {keyof typeof TOOLS} tool
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function runTool(node, tool, args, env) {
  return runFile(node, TOOLS[tool], args, env);
}

const TYPED = [
  'src',
  'test',
  'bench',
  'scripts',
  'tools',
  'bin',
  'vitest.config.ts',
  'tsconfig.json',
  'package-lock.json',
];
/** Results of the last check: only changed files and the files that import them are checked again. */
const TYPES_SEEN = 'node_modules/.cache/cloudjar-types.tsbuildinfo';
const TYPES_IN_ORDER = join(root, 'node_modules/.cache/cloudjar-types.stamp');
const MOST_CHECKERS = 4;

/**
 * Each checker process resolves the types that several files share again, so more checkers than idle processors only add work, and another
 * program always runs in parallel. Garbage collection is delayed, because at its usual pace it costs as much as checking, and the compiler
 * ends before memory runs short.
 * @param {string} node
 */
export async function checkTypes(node) {
  const stamp = statStamp(root, TYPED);
  if (readOrEmpty(TYPES_IN_ORDER) === stamp) return 0;
  const checkers = Math.max(1, Math.min(availableParallelism() - 1, MOST_CHECKERS));
  const args = ['--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', TYPES_SEEN, '--checkers', `${checkers}`];
  const status = await runTool(node, 'tsc', args, { GOGC: '400' });
  if (status === 0) writeAtomically(TYPES_IN_ORDER, stamp);
  return status;
}
