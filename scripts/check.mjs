// npm run check: types, lint and format, the layers of src/ and of the console, repeated code, counts that may not grow, and warnings of
// habits of language. All checks run, so that one run shows all problems.
import { join } from 'node:path';
import { checkConsoleTypes } from './lib/console.mjs';
import { checkConsoleLayers } from './lib/console-layers.mjs';
import { countIn } from './lib/counts.mjs';
import { checkLayers } from './lib/layers.mjs';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { findRepeats, REPEATED_LINES } from './lib/repeats.mjs';
import { main, say } from './lib/say.mjs';
import { checkTypes, runTool } from './lib/tools.mjs';
import { findHabits } from './lib/words.mjs';

const MOST_HABITS = 40;

await main(async () => {
  const node = await prepare('all');
  const failed = [];
  const colors = process.stdout.isTTY ? [] : ['--colors=off'];
  // In parallel, because neither keeps two processors busy all the time; each prints its findings when it ends.
  const checks = [checkTypes(node), runTool(node, 'biome', ['ci', '--error-on-warnings', ...colors])];
  const { errors, warnings } = checkLayers(join(root, 'src'));
  for (const line of [...warnings, ...errors]) console.error(line);
  const ofConsole = checkConsoleLayers(join(root, 'console/src'));
  for (const line of [...ofConsole.warnings, ...ofConsole.errors]) console.error(line);
  if (errors.length + ofConsole.errors.length > 0) failed.push('layers');
  const repeats = findRepeats(join(root, 'src'));
  for (const { lines, first, again } of repeats) console.error(`src/${again}: repeats ${lines} lines of src/${first}`);
  say(`${repeats.length} runs of ${REPEATED_LINES} or more equal lines occur twice in src/`);
  if (repeats.length > 0) failed.push('repeats');
  for (const { what, most, places } of countIn(join(root, 'src'))) {
    say(`${places.length} ${what}; ${most} at most`);
    if (places.length <= most) continue;
    for (const place of places) console.error(`src/${place}`);
    failed.push('counts');
  }
  // A warning: whether a sentence is plain is for its reader to say.
  const habits = findHabits(root);
  for (const line of habits.slice(0, MOST_HABITS)) console.error(`warning: ${line}`);
  say(`${habits.length} habits of language in comments and pages (CONTRIBUTING.md, Words)`);
  const [types, lint] = await Promise.all(checks);
  if (types !== 0) failed.push('types');
  // Afterwards, because it starts a jar for the OpenAPI documents and would only slow down the others.
  if ((await withLock('console', () => checkConsoleTypes(node))) !== 0) failed.push('types of the console');
  if (lint !== 0) failed.push('lint and format');
  if (failed.length > 0) process.exitCode = 1;
  say(
    failed.length > 0
      ? `check failed: ${failed.join(', ')}`
      : 'types, lint, format, layers, repeats and counts are in order',
  );
});
