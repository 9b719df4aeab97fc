// Tests the README's promise for a fresh clone, on this clone: the first `npm start` installs and builds what is missing, and answers; the
// next one finds everything in place. Part of .ci/run; test/scripts/fresh-clone.long.test.ts tests it as a user who may write only to the
// clone.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { say } from './lib/say.mjs';
import { startOnce } from './lib/start-once.mjs';

const IN_PLACE = { setUp: [], status: 'ready', closed: true };

const isFresh = !existsSync(join(root, 'node_modules'));
const folder = mkdtempSync(join(tmpdir(), 'cloudjar-first-start-'));
const args = ['--data', join(folder, 'data')];
try {
  const first = await startOnce(root, {}, { end: 'ctrlC', args });
  for (const line of first.setUp) console.log(line);
  assert.deepEqual({ ...first, setUp: [] }, IN_PLACE);
  if (isFresh) for (const done of [/installing packages/, /building dist/]) assert.match(first.setUp.join('\n'), done);

  assert.deepEqual(await startOnce(root, {}, { end: 'killOfNpm', args }), IN_PLACE);
  say(`npm start answers${isFresh ? ' on a fresh clone' : ''}, and finds all in place the second time`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
