// npm run fixture: saves a data folder, the rows of a PostgreSQL database and a snapshot file in the format of this release, for the tests
// of later releases.
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/say.mjs';
import { runFile } from './lib/tools.mjs';

await main(async () => {
  const node = await prepare('all');
  process.exitCode = await runFile(node, 'test/fixtures/make/main.ts', [process.argv[2] ?? root]);
});
