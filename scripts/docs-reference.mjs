// npm run docs:reference: writes the pages of docs/ that follow from tables of the code.
import { endWithNpm } from './lib/npm-shell.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/say.mjs';
import { runFile } from './lib/tools.mjs';

endWithNpm();
await main(async () => {
  process.exitCode = await runFile(await prepare('all'), 'scripts/reference/write.mjs', []);
});
