import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from '../../scripts/lib/lock.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const name = `test-${process.pid}`;

/** Another process that takes the lock, reports it and keeps it until it is killed. */
async function holder() {
  const code = `const { withLock } = await import(process.argv[1]);
    await withLock(process.argv[2], () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)); });`;
  const args = ['--input-type=module', '-e', code, join(root, 'scripts/lib/lock.mjs'), name];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('one at a time holds the lock', async () => {
  const log: string[] = [];
  const enter = (who: string) =>
    withLock(name, async () => {
      log.push(`${who} in`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${who} out`);
    });
  await Promise.all(['a', 'b', 'c'].map(enter));
  expect(log).toHaveLength(6);
  for (let i = 0; i < log.length; i += 2) expect(log[i + 1]).toBe(log[i]?.replace('in', 'out'));
});

test('a holder that is killed leaves the lock to the one who waits', async () => {
  const child = await holder();
  let held = false;
  const waiting = withLock(name, async () => {
    held = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(held).toBe(false);
  child.kill('SIGKILL');
  await waiting;
  expect(held).toBe(true);
});

test('the lock is free again after a body that throws', async () => {
  await expect(withLock(name, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withLock(name, async () => 'yes')).resolves.toBe('yes');
});
