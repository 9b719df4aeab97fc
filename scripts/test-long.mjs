// npm run test:long: runs the tests that npm test runs at reduced size at full size (many kills, many rows, both stores), and the tests
// that it skips (*.long.test.ts), such as a whole installation. Arguments are passed to Vitest, as with npm test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithNpm } from './lib/npm-shell.mjs';
import { root } from './lib/paths.mjs';
import { runTests } from './lib/run-tests.mjs';
import { main } from './lib/say.mjs';
import { filesBelow } from './lib/stamp.mjs';

const SWITCH = 'CLOUDJAR_SOAK';
const LONG = '.long.test.ts';
/** A helper of test/support/jars.ts, which reads the switch. */
const ON_ANY_STORE = 'onAnyStore';

endWithNpm();
await main(async () => {
  const given = process.argv.slice(2);
  const tests = ['cli', 'control', 'kernel', 'scripts', 'services', 'testing', 'tools'].flatMap((folder) =>
    filesBelow(join(root, 'test', folder)),
  );
  const isLong = (/** @type {string} */ file) => {
    const text = readFileSync(file, 'utf8');
    return file.endsWith(LONG) || text.includes(SWITCH) || text.includes(ON_ANY_STORE);
  };
  const long = tests.filter((file) => file.endsWith('.test.ts') && isLong(file));
  process.env[SWITCH] = '1';
  process.exitCode = await runTests(given.some((each) => !each.startsWith('-')) ? given : [...given, ...long]);
});
