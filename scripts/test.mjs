// npm test: installs and builds if necessary, checks the types, runs the tests. Arguments are passed to Vitest: `npm test --
// test/kernel/clock`, `npm test -- -t 'a part of a title'`.
import { endWithNpm } from './lib/npm-shell.mjs';
import { runTests } from './lib/run-tests.mjs';
import { main } from './lib/say.mjs';

endWithNpm();
await main(async () => {
  process.exitCode = await runTests(process.argv.slice(2));
});
