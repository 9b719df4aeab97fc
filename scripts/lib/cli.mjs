import nodeModule from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './children.mjs';
import { NODE_FLAGS } from './node-flags.mjs';
import { compileCache, dist, isClone } from './paths.mjs';
import { ensureRuntime } from './runtime.mjs';

// By then a jar has started and loaded its code; the cache then serves the next start even if this process is killed.
const FLUSH_AFTER_MS = 3000;

/**
 * Runs the command line with these arguments: in this process if its Node is new enough, otherwise in a child process.
 * @param {string[]} args
 */
export async function runCli(args) {
  const node = isClone ? await prepareClone() : await ensureRuntime();
  const entry = join(dist, 'cli.js');
  if (node !== process.execPath) {
    const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
    process.exitCode = await run(node, [...NODE_FLAGS, entry, ...args], { env });
    return;
  }
  nodeModule.enableCompileCache?.(compileCache);
  process.argv = [process.execPath, entry, ...args];
  await import(pathToFileURL(entry).href);
  setTimeout(() => nodeModule.flushCompileCache?.(), FLUSH_AFTER_MS).unref();
}

/** Imported dynamically: an installed package is already built, and does not contain the build scripts. */
async function prepareClone() {
  const { prepare } = await import('./prepare.mjs');
  return prepare('run');
}
