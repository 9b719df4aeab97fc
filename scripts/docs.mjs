// npm run docs: builds the documentation site, which the jar serves at /_jar/docs. With --dev it is served alone, and drawn anew with every change of a page.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildDocsSite, copyPages, stagePages, vitepress } from './lib/docs-site.mjs';
import { withLock } from './lib/lock.mjs';
import { endWithNpm } from './lib/npm-shell.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { main, say } from './lib/say.mjs';

endWithNpm();
await main(async () => {
  const node = await prepare('run');
  if (process.argv.includes('--dev')) {
    await stagePages();
    const watcher = watch(join(root, 'docs'), { recursive: true }, copyPages);
    await vitepress(node, 'dev');
    watcher.close();
    return;
  }
  await withLock('docs', () => buildDocsSite(node));
  say('the documentation is in dist/docs; a running jar serves it at /_jar/docs');
});
