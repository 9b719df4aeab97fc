// npm test: installs and builds where needed, checks the types, runs the tests. Arguments go to Vitest:
// `npm test -- test/kernel/clock`, `npm test -- -t 'a part of a title'`.
import { join } from 'node:path';
import { install } from './lib/install.mjs';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/say.mjs';
import { runTool } from './lib/tools.mjs';

await main(async () => {
  const node = await prepare();
  process.exitCode = await runTool(node, 'tsc', ['--noEmit', '-p', '.']);
  if (process.exitCode !== 0) return;
  await withLock('test-servers', () => install(join(root, 'test', 'servers')));
  process.exitCode = await runTool(node, 'vitest', ['run', ...process.argv.slice(2)]);
});
