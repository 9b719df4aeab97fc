// npm test: installs and builds where needed, checks the types, runs the tests. Arguments go to Vitest:
// `npm test -- test/kernel/clock`, `npm test -- -t 'a part of a title'`.
import { join } from 'node:path';
import { install } from './lib/install.mjs';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/say.mjs';
import { checkTypes, runTool } from './lib/tools.mjs';

await main(async () => {
  const node = await prepare();
  const [types] = await Promise.all([
    checkTypes(node),
    withLock('test-servers', () => install(join(root, 'test', 'servers'))),
  ]);
  process.exitCode = types;
  if (types !== 0) return;
  process.exitCode = await runTool(node, 'vitest', ['run', ...process.argv.slice(2)]);
});
