// Tries what the README promises of a fresh clone, on this one: `npm start` installs and builds what is missing, and answers; the next one
// finds all in place. Part of .ci/run; test/scripts/fresh-clone.long.test.ts tries it as a user who may write to nothing but the clone.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { say } from './lib/say.mjs';
import { startOnce } from './lib/start-once.mjs';

const isFresh = !existsSync(join(root, 'node_modules'));
const folder = mkdtempSync(join(tmpdir(), 'cloudjar-first-start-'));
const data = ['--data', join(folder, 'data')];
try {
  const first = await startOnce(root, {}, data);
  for (const line of first.setUp) console.log(line);
  assert.deepEqual({ health: statusOf(first), exitCode: first.exitCode }, { health: 'ready', exitCode: 0 });
  if (isFresh) for (const done of [/installing packages/, /building dist/]) assert.match(first.setUp.join('\n'), done);

  const second = await startOnce(root, {}, data);
  assert.deepEqual(
    { health: statusOf(second), exitCode: second.exitCode, setUp: second.setUp },
    { health: 'ready', exitCode: 0, setUp: [] },
  );
  say(`npm start answers, ${isFresh ? 'on a fresh clone and' : ''} at once the second time`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {import('./lib/start-once.mjs').OneStart} start */
function statusOf({ health }) {
  return health instanceof Object && 'status' in health ? health.status : health;
}
