import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFolder } from '../../../src/kernel/store/folder.ts';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';

const HOLDER = join(import.meta.dirname, 'folder-holder.ts');
const RACERS = 6;
const NOBODY = 65534;

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Starts a process that tries to open the folder; returns its first output. */
async function contender(path: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [data] = await once(child.stdout, 'data');
  return { child, said: String(data).trim() };
}

test('a folder that does not exist is made, for its owner only, and can be taken again after it was released', async () => {
  const path = join(temporary(), 'deep', 'data');
  const folder = await openFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(folder.file('jar.db')).toBe(join(path, 'jar.db'));
  folder.release();
  const again = await openFolder(path);
  again.release();
});

test('lock files are accessible only to their owner, even in a folder that is open to others', async () => {
  const path = temporary();
  chmodSync(path, 0o777);
  const keys = await openFolder(path, { exclusive: false });
  const whole = await openFolder(path);
  const files = readdirSync(path).filter((name) => /^(lock|start)\./.test(name));
  expect(files).toEqual(expect.arrayContaining(['lock.db', 'lock.pid', 'start.db']));
  for (const name of files) expect([name, statSync(join(path, name)).mode & 0o777]).toEqual([name, 0o600]);
  whole.release();
  keys.release();
});

test('a new folder ignores itself in git, shared or not; a .gitignore that is there stays as it is', async () => {
  for (const exclusive of [true, false]) {
    const path = join(temporary(), 'data');
    (await openFolder(path, { exclusive })).release();
    expect(readFileSync(join(path, '.gitignore'), 'utf8')).toBe('*\n');
  }
  const kept = temporary();
  writeFileSync(join(kept, '.gitignore'), '*\n!.gitignore\n');
  (await openFolder(kept)).release();
  expect(readFileSync(join(kept, '.gitignore'), 'utf8')).toBe('*\n!.gitignore\n');
});

test('an empty folder is taken as it is', async () => {
  const folder = await openFolder(temporary());
  folder.release();
});

test('a folder with other files is refused and not changed', async () => {
  const path = temporary();
  writeFileSync(join(path, 'thesis.txt'), 'precious');
  await expect(openFolder(path)).rejects.toMatchObject({
    code: 'FOREIGN_FOLDER',
    message: `the data folder ${path} is not empty and does not belong to a jar`,
  });
  expect(readdirSync(path)).toEqual(['thesis.txt']);
});

test('a marker that is not a jar’s makes the folder somebody else’s', async () => {
  for (const marker of ['', '[]', 'null', '{"format":"other","version":1}']) {
    const path = temporary();
    writeFileSync(join(path, 'cloudjar.json'), marker);
    await expect(openFolder(path)).rejects.toMatchObject({ code: 'FOREIGN_FOLDER' });
  }
});

test('a file in place of the folder is refused', async () => {
  const path = join(temporary(), 'file');
  writeFileSync(path, 'x');
  await expect(openFolder(path)).rejects.toMatchObject({
    code: 'FOREIGN_FOLDER',
    message: `the data folder ${path} is not a folder`,
  });
  expect(readFileSync(path, 'utf8')).toBe('x');
});

test('a folder of a later release is refused and not changed', async () => {
  const path = join(temporary(), 'data');
  (await openFolder(path)).release();
  const marker = join(path, 'cloudjar.json');
  writeFileSync(marker, JSON.stringify({ format: 'cloudjar-data', version: 7 }));
  await expect(openFolder(path)).rejects.toMatchObject({
    code: 'NEWER_VERSION',
    message: expect.stringMatching(/was written by a later release: it has version 7, this release knows up to 1$/),
  });
  expect(JSON.parse(readFileSync(marker, 'utf8')).version).toBe(7);
});

test('a folder that needs a later release is refused with a message that names both, and not changed', async () => {
  const path = join(temporary(), 'data');
  (await openFolder(path, { release: '0.1.0' })).release();
  const marker = join(path, 'cloudjar.json');
  expect(JSON.parse(readFileSync(marker, 'utf8'))).toEqual({ format: 'cloudjar-data', version: 1, oldest: '0.1.0' });
  const later = JSON.stringify({ format: 'cloudjar-data', version: 2, oldest: '1.10.0' });
  writeFileSync(marker, later);
  await expect(openFolder(path, { release: '1.9.3' })).rejects.toMatchObject({
    code: 'NEWER_VERSION',
    message: `the data folder ${path} can be used by release 1.10.0 and later; this is release 1.9.3`,
  });
  expect(readFileSync(marker, 'utf8')).toBe(later);
});

test('a path that cannot be written to is one clear line', async () => {
  const file = join(temporary(), 'file');
  writeFileSync(file, 'x');
  await expect(openFolder(join(file, 'data'))).rejects.toMatchObject({
    code: 'UNWRITABLE',
    message: expect.stringMatching(/^the data folder \S+ cannot be written to: [^\n]+$/),
  });
  await expect(openFolder('/proc/cloudjar/data')).rejects.toMatchObject({ code: 'UNWRITABLE' });
});

test('a folder without write permission is refused', async () => {
  const parent = temporary();
  chmodSync(parent, 0o755);
  const path = join(parent, 'closed');
  mkdirSync(path, { mode: 0o555 });
  // Permissions do not apply to root, so the process changes its user for a moment.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await expect(openFolder(path)).rejects.toMatchObject({ code: 'UNWRITABLE' });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('a second opening in the same process is refused', async () => {
  const path = temporary();
  const folder = await openFolder(path);
  await expect(openFolder(path)).rejects.toMatchObject({
    code: 'IN_USE',
    message: `the data folder ${path} is in use by process ${process.pid}`,
  });
  folder.release();
});

test('of several processes that start together one gets the folder, and a killed one leaves it free', async () => {
  const path = join(temporary(), 'data');
  for (let round = 0; round < 3; round++) {
    const racers = await Promise.all(Array.from({ length: RACERS }, () => contender(path)));
    const winners = racers.filter(({ said }) => said === 'HELD');
    expect(winners).toHaveLength(1);
    const losers = racers.filter((racer) => !winners.includes(racer));
    expect(losers).toHaveLength(RACERS - 1);
    for (const { said } of losers) expect(said).toMatch(/^IN_USE .* is in use by (process \d+|another process)$/);
    const late = await contender(path);
    expect(late.said).toBe(`IN_USE the data folder ${path} is in use by process ${winners[0]!.child.pid}`);
    const gone = once(winners[0]!.child, 'exit');
    winners[0]!.child.kill('SIGKILL');
    await gone;
  }
  const folder = await openFolder(path);
  folder.release();
});

test('a file that is not a database is refused and not changed', async () => {
  const file = join(temporary(), 'jar.db');
  const text = 'this is not a database, but somebody may need it\n'.repeat(100);
  writeFileSync(file, text);
  await expect(openSqlite({ file, collections: [] })).rejects.toMatchObject({
    code: 'FOREIGN_FOLDER',
    message: expect.stringContaining(file),
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
});
