// npm run bench:detect: installs the detectors that ours is compared with (packages of bench/), then measures all of them.
import { join } from 'node:path';
import { install } from './lib/install.mjs';
import { withLock } from './lib/lock.mjs';
import { endWithNpm } from './lib/npm-shell.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/say.mjs';
import { runFile } from './lib/tools.mjs';

endWithNpm();
await main(async () => {
  const node = await prepare('all');
  await withLock('bench', () => install('all', join(root, 'bench')));
  process.exitCode = await runFile(node, 'bench/detect/run.ts', process.argv.slice(2));
});
