// npm run screenshots: takes the pictures of docs/pictures from a running console, light and dark.
import { buildConsole } from './lib/console.mjs';
import { withLock } from './lib/lock.mjs';
import { endWithNpm } from './lib/npm-shell.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/say.mjs';
import { runFile } from './lib/tools.mjs';

endWithNpm();
await main(async () => {
  const node = await prepare('all');
  await withLock('console', () => buildConsole(node));
  process.exitCode = await runFile(node, 'scripts/screenshots/take.mjs', []);
});
