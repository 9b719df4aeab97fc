// npm run console: builds the console, which the jar serves at /console/. With --dev it is served alone in front of a running jar (CLOUDJAR_URL), and follows every change of a file.

import { join } from 'node:path';
import { buildConsole, dev, generateTypes } from './lib/console.mjs';
import { install } from './lib/install.mjs';
import { withLock } from './lib/lock.mjs';
import { endWithNpm } from './lib/npm-shell.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { main, say } from './lib/say.mjs';

endWithNpm();
await main(async () => {
  const node = await prepare('run');
  if (process.argv.includes('--dev')) {
    await install('all', join(root, 'console'));
    process.exitCode = await dev(node);
    return;
  }
  if (process.argv.includes('--types')) {
    await withLock('console', () => generateTypes(node));
    return;
  }
  await withLock('console', () => buildConsole(node));
  say('the console is in dist/console; a running jar serves it at /console/');
});
