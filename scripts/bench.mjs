// npm run bench: installs the programs that the benchmarks compare with (kept out of the project's own packages), then runs the benchmarks.
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
  process.exitCode = await runFile(node, 'bench/run.ts', process.argv.slice(2));
});
