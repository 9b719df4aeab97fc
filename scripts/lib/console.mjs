// Builds the console, dist/console, from console/. Its packages are in console/, apart from the project's own.
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathWith, run } from './children.mjs';
import { install } from './install.mjs';
import { dist, root } from './paths.mjs';
import { during } from './progress.mjs';
import { SetupError } from './say.mjs';
import { contentStamp, filesBelow, readOrEmpty, statStamp, writeAtomically } from './stamp.mjs';

const folder = join(root, 'console');
const generated = join(folder, 'src/shared/api/generated');
const output = join(dist, 'console');
/** Built beside the old files, which it replaces when it is complete. */
const draft = join(dist, '.console');
const STAMP = '.stamp';

/** Whether dist/console was built from the sources as they are. */
function stampOf() {
  const files = filesBelow(folder).filter((file) => !file.startsWith(generated));
  return `${contentStamp(files)} ${files.map((file) => file.slice(root.length)).join(' ')}`;
}

/**
 * Does nothing when the console is up to date. Call it under the lock 'console'.
 * @param {string} node
 */
export async function buildConsole(node) {
  const stamp = stampOf();
  if (readOrEmpty(join(output, STAMP)) === stamp) return;
  await install('all', folder);
  rmSync(draft, { recursive: true, force: true });
  await during('building dist/console', () =>
    vite(node, ['build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn']),
  );
  writeAtomically(join(draft, STAMP), stamp);
  rmSync(output, { recursive: true, force: true });
  renameSync(draft, output);
}

/**
 * Writes the types of the control API and of the services, from the OpenAPI documents that the jar serves; does nothing if the server's
 * sources have not changed since.
 * @param {string} node
 */
export async function generateTypes(node) {
  const stamp = statStamp(root, ['src', 'console/package-lock.json', 'console/scripts/types.mjs']);
  if (readOrEmpty(join(generated, STAMP)) === stamp && readdirSync(generated).length > 1) return;
  await install('all', folder);
  await during('generating the types of the console', () =>
    silently(node, [join(root, 'console/scripts/types.mjs'), generated], root),
  );
  writeAtomically(join(generated, STAMP), stamp);
}

/**
 * Checks the console's types; prints what it finds.
 * @param {string} node
 */
export async function checkConsoleTypes(node) {
  await generateTypes(node);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const seen = join(folder, 'node_modules/.cache/console-types.tsbuildinfo');
  return run(node, [tsc, '--noEmit', '-p', folder, '--incremental', '--tsBuildInfoFile', seen], { cwd: root });
}

/**
 * @param {string} node
 * @param {string[]} args
 */
export const vite = (node, args) => silently(node, [join(folder, 'node_modules/vite/bin/vite.js'), ...args], folder);

/** Serves the console alone, with a running jar behind it, and shows every change at once. */
export const dev = (/** @type {string} */ node) =>
  run(node, [join(folder, 'node_modules/vite/bin/vite.js'), 'dev'], {
    cwd: folder,
    env: { ...process.env, PATH: pathWith(node) },
  });

/**
 * @param {string} node
 * @param {string[]} args
 * @param {string} cwd
 */
async function silently(node, args, cwd) {
  let shown = '';
  const status = await run(node, args, {
    cwd,
    // Tests set another NODE_ENV, with which the libraries would be built for development.
    env: { ...process.env, NODE_ENV: 'production', PATH: pathWith(node) },
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput: (text) => (shown += text),
  });
  if (status !== 0) throw new SetupError(`the console was not built:\n${shown.trimEnd()}`);
}
