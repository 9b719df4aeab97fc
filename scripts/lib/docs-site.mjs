// Builds the documentation site, dist/docs, from docs/. The generator and its packages are in site/, apart from the project's own.
import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathWith, run } from './children.mjs';
import { install } from './install.mjs';
import { dist, root } from './paths.mjs';
import { during } from './progress.mjs';
import { SetupError } from './say.mjs';
import { contentStamp, filesBelow, readOrEmpty, writeAtomically } from './stamp.mjs';

const site = join(root, 'site');
const pages = join(site, '.pages');
const output = join(dist, 'docs');
/** VitePress does not empty a folder outside of its own: the site is built beside the old one and replaces it. */
const draft = join(dist, '.docs');
const STAMP = '.stamp';

/** Whether dist/docs was made from the pages and the settings as they are. */
function stampOf() {
  const files = [join(root, 'docs'), site]
    .flatMap((folder) => filesBelow(folder))
    .filter((file) => !file.startsWith(pages));
  // With the names: a page that is renamed has another address.
  return `${contentStamp(files)} ${files.map((file) => file.slice(root.length)).join(' ')}`;
}

/**
 * Does nothing when the site is up to date. Call it under the lock 'docs'.
 * @param {string} node
 */
export async function buildDocsSite(node) {
  const stamp = stampOf();
  if (readOrEmpty(join(output, STAMP)) === stamp) return;
  await stagePages();
  rmSync(draft, { recursive: true, force: true });
  await during('building dist/docs', () => vitepress(node, 'build', ['--outDir', draft]));
  writeAtomically(join(draft, STAMP), stamp);
  rmSync(output, { recursive: true, force: true });
  renameSync(draft, output);
}

/** VitePress finds the packages of a page only if the page is below the folder that has them. */
export async function stagePages() {
  await install('all', site);
  rmSync(pages, { recursive: true, force: true });
  copyPages();
}

export const copyPages = () => cpSync(join(root, 'docs'), pages, { recursive: true });

/**
 * @param {string} node
 * @param {'build' | 'dev'} command
 * @param {string[]} [options]
 */
export async function vitepress(node, command, options = []) {
  let shown = '';
  const status = await run(node, [join(site, 'node_modules/vitepress/bin/vitepress.js'), command, '.', ...options], {
    cwd: site,
    env: { ...process.env, PATH: pathWith(node) },
    ...(command === 'build' && { stdio: ['ignore', 'pipe', 'pipe'], onOutput: (text) => (shown += text) }),
  });
  if (status !== 0) throw new SetupError(`the documentation site was not built:\n${shown.trimEnd()}`);
}
