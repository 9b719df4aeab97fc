// npm start: prepares the clone if necessary, and runs `cloudjar start`.
import { runCli } from './lib/cli.mjs';
import { endWithNpm } from './lib/npm-shell.mjs';
import { main } from './lib/say.mjs';

endWithNpm();
await main(() => runCli(['start', ...process.argv.slice(2)]));
