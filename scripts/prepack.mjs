// Runs before `npm pack` and `npm publish`: the package contains a bundle built from scratch, with every package in it, the documentation site and the console.
import { build } from './lib/build.mjs';
import { buildConsole } from './lib/console.mjs';
import { buildDocsSite } from './lib/docs-site.mjs';
import { install } from './lib/install.mjs';
import { withLock } from './lib/lock.mjs';
import { main } from './lib/say.mjs';

await main(async () => {
  await withLock('set-up', async () => {
    await install('all');
    await build({ force: true, clean: true });
  });
  await withLock('console', () => buildConsole(process.execPath));
  await withLock('docs', () => buildDocsSite(process.execPath));
});
