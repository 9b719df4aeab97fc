import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminKey, runCli, startCli, temporaryFolder } from './cli.ts';

const VIRTUAL = ['--memory', '--clock', 'virtual', '--clock-start', '2026-01-31T09:00:00Z'];
const SECRET_KEY = Buffer.alloc(32, 5).toString('base64url');

test('snapshot saves, lists, restores and deletes', async () => {
  const { folder } = await startCli(VIRTUAL);
  const at = ['--data', folder];
  expect((await runCli(['snapshot', ...at])).stdout).toBe('there are no snapshots\n');
  const saved = await runCli(['snapshot', 'save', 'fresh', ...at]);
  expect(saved).toMatchObject({ code: 0, stderr: '' });
  expect(saved.stdout).toMatch(/^fresh {2}2026-01-31T09:00:00\.000Z {2}\d+ documents {2}\d+ (bytes|kB)\n$/);
  await runCli(['clock', 'advance', '36h', ...at]);
  expect((await runCli(['snapshot', 'restore', 'fresh', ...at])).stdout).toBe(
    "restored fresh; the jar's time is 2026-01-31T09:00:00.000Z\n",
  );
  expect(JSON.parse((await runCli(['snapshot', '--json', ...at])).stdout)).toMatchObject({
    value: [{ name: 'fresh' }],
  });
  expect((await runCli(['snapshot', 'delete', 'fresh', ...at])).stdout).toBe('fresh is deleted\n');
  const gone = await runCli(['snapshot', 'restore', 'fresh', ...at]);
  expect(gone).toEqual({
    code: 1,
    stdout: '',
    stderr: "cloudjar: There is no snapshot 'fresh'; there are none yet.\n",
  });
});

test('snapshot diff prints what was added, removed and changed, without secrets', async () => {
  const { folder, url } = await startCli(VIRTUAL);
  const at = ['--data', folder];
  const token = (await runCli(['token', ...at])).stdout.trim();
  const group = (name: string, method: string, tags: object) =>
    fetch(`${url}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourcegroups/${name}?api-version=2022-12-01`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ location: 'eastus', tags }),
    });
  await group('one', 'PUT', { env: 'test', adminPassword: 'pw-one' });
  await runCli(['snapshot', 'save', 'before', ...at]);
  await runCli(['snapshot', 'save', 'same', ...at]);
  expect(
    (await runCli(['snapshot', 'diff', 'before', 'same', '--collection', 'resources.items', ...at])).stderr,
  ).toMatch(/There is no collection 'resources\.items'/);
  await group('one', 'PUT', { env: 'live', adminPassword: 'pw-two' });
  await group('two', 'PUT', {});
  const diff = await runCli(['snapshot', 'diff', 'before', ...at]);
  expect(diff).toMatchObject({ code: 0, stderr: '' });
  expect(diff.stdout).toMatch(/^\S+: 1 added, 0 removed, 1 changed\n/m);
  expect(diff.stdout).toMatch(/^ {6}\S*tags\.env: "test" -> "live"$/m);
  expect(diff.stdout).toMatch(/^ {6}\S*tags\.adminPassword: changed \(secret\)$/m);
  expect(diff.stdout).toMatch(/^ {2}\+ .*two/m);
  expect(diff.stdout).not.toContain('pw-');
  const json = JSON.parse((await runCli(['snapshot', 'diff', 'before', '--json', ...at])).stdout);
  expect(json).toMatchObject({ from: { name: 'before' }, to: { name: null }, value: expect.any(Array) });
  const none = await runCli(['snapshot', 'diff', 'before', 'before', ...at]);
  expect(none.stdout).toBe('there is no difference between before and before\n');
  expect(await runCli(['snapshot', 'diff', 'nothing', ...at])).toMatchObject({
    code: 1,
    stderr: "cloudjar: There is no snapshot 'nothing'; there are before, same.\n",
  });
});

test('export writes a file that only its owner can read, and import makes a snapshot of it in another jar', async () => {
  const env = { CLOUDJAR_SECRET_KEY: SECRET_KEY };
  const first = await startCli(VIRTUAL, { env });
  const at = ['--data', first.folder];
  await runCli(['snapshot', 'save', 'state', ...at]);
  const cwd = temporaryFolder();
  const exported = await runCli(['snapshot', 'export', 'state', '--json', ...at], { cwd });
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  const file = join(cwd, 'state.cloudjar.gz');
  expect(JSON.parse(exported.stdout)).toEqual({ name: 'state', file: 'state.cloudjar.gz', bytes: statSync(file).size });
  expect(statSync(file).mode & 0o077).toBe(0);
  const again = await runCli(['snapshot', 'export', 'state', ...at], { cwd });
  expect(again).toMatchObject({
    code: 2,
    stderr: 'cloudjar: state.cloudjar.gz already exists; give --force to replace it, or choose another file\n',
  });

  const second = await startCli(VIRTUAL, { env });
  const imported = await runCli(['snapshot', 'import', file, '--data', second.folder]);
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^state {2}2026/) });
  expect((await runCli(['snapshot', 'restore', 'state', '--data', second.folder])).code).toBe(0);

  const stranger = await startCli(VIRTUAL);
  const refused = await runCli(['snapshot', 'import', file, 'theirs', '--data', stranger.folder]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/another secret key.*CLOUDJAR_SECRET_KEY/) });
  expect(readFileSync(file).includes(adminKey(first.folder))).toBe(false);
});

test('export with a passphrase and without secrets gives files that open in any jar', async () => {
  const first = await startCli(VIRTUAL);
  const cwd = temporaryFolder();
  const at = ['--data', first.folder];
  await runCli(['clock', 'advance', '36h', ...at]);
  await runCli(['snapshot', 'save', 'state', ...at]);
  writeFileSync(join(cwd, 'pass.txt'), 'words of the team\n');
  const locked = ['snapshot', 'export', 'state', 'locked.gz', '--passphrase-file', 'pass.txt', ...at];
  expect(await runCli(locked, { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^state is in locked\.gz/),
  });
  expect(statSync(join(cwd, 'locked.gz')).mode & 0o077).toBe(0);
  const portable = ['snapshot', 'export', 'state', 'fixture.cloudjar.gz', '--portable', ...at];
  expect(await runCli(portable, { cwd, env: { CLOUDJAR_PASSPHRASE: 'not for this one' } })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^state is in fixture\.cloudjar\.gz \(.*\), without:\nsubscription keys of the translator: 1 \(default\)\n/,
    ),
  });
  expect(await runCli(portable, { cwd })).toMatchObject({ code: 2, stderr: expect.stringMatching(/already exists/) });
  const replaced = JSON.parse((await runCli([...portable, '--force', '--json'], { cwd })).stdout);
  expect(replaced.leftOut[0]).toMatchObject({ what: 'subscription keys of the translator', count: 1 });
  expect(await runCli([...portable, '--force', '--passphrase', 'words'], { cwd })).toMatchObject({
    code: 2,
    stderr: 'cloudjar: a file without secrets has nothing to encrypt: give either --portable or a passphrase\n',
  });
  expect(await runCli(['snapshot', 'export', 'state', 'x.gz', '--passphrase', ...at], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/cannot be prompted for without a terminal/),
  });

  const second = await startCli(VIRTUAL);
  const there = ['--data', second.folder];
  const run = (args: readonly string[], env = {}) => runCli(['snapshot', 'import', ...args, ...there], { cwd, env });
  expect((await run(['locked.gz'])).stderr).toMatch(/^cloudjar: The file was exported with a passphrase: give it/);
  expect((await run(['locked.gz', '--passphrase', 'guessed words'])).stderr).toMatch(/is not that of the file/);
  const opened = await run(['locked.gz', 'theirs', '--restore'], { CLOUDJAR_PASSPHRASE: 'words of the team' });
  expect(opened).toMatchObject({ code: 0, stderr: '' });
  expect(opened.stdout).toMatch(
    /^theirs {2}2026-02-01T21.*\nrestored theirs; the jar's time is 2026-02-01T21:00:00\.000Z\n$/,
  );
  const imported = await run(['fixture.cloudjar.gz']);
  expect(imported.stdout).toMatch(
    /^fixture {2}2026-02-01T21.*\nsubscription keys of the translator: 1 \(default\)\. New keys were generated/,
  );
  const answer = JSON.parse((await run(['fixture.cloudjar.gz', '--restore', '--json'])).stdout);
  expect(answer).toMatchObject({ name: 'fixture', restored: { status: 'restored', name: 'fixture' } });
  expect(answer.leftOut[0]).toMatchObject({
    what: 'subscription keys of the translator',
    count: 1,
    names: ['default'],
  });

  const seeded = await startCli(['--memory', '--clock', 'virtual', '--seed', join(cwd, 'locked.gz')], {
    env: { CLOUDJAR_PASSPHRASE: 'words of the team' },
  });
  const clock = await runCli(['clock', '--json', '--data', seeded.folder]);
  expect(JSON.parse(clock.stdout).now).toBe('2026-02-01T21:00:00.000Z');
});

test('what cannot be is told in one line, and leaves no file behind', async () => {
  const { folder } = await startCli(VIRTUAL);
  const cwd = temporaryFolder();
  const run = (...args: string[]) => runCli(['snapshot', ...args, '--data', folder], { cwd });
  expect(await run('sav', 'x')).toMatchObject({
    code: 2,
    stderr: "cloudjar: unknown command 'snapshot sav' (did you mean snapshot save?)\n",
  });
  expect((await run('save', 'no spaces')).stderr).toMatch(/^cloudjar: 'no spaces' cannot be the name of a snapshot/);
  expect((await run('export', 'nothing', 'out.gz')).stderr).toMatch(/^cloudjar: There is no snapshot 'nothing'/);
  expect(existsSync(join(cwd, 'out.gz'))).toBe(false);
  expect(await run('import', 'missing.gz')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/missing\.gz cannot be read/),
  });
  expect((await run('import', cwd)).stderr).toMatch(/is not a file/);
  writeFileSync(join(cwd, 'garbage.gz'), 'no snapshot at all');
  expect((await run('import', 'garbage.gz')).stderr).toBe('cloudjar: This is not a snapshot file: it is not gzip.\n');
  writeFileSync(join(cwd, 'big.gz'), Buffer.alloc(30_000_000, 7));
  expect((await run('import', 'big.gz')).stderr).toBe('cloudjar: This is not a snapshot file: it is not gzip.\n');
  await run('save', 'there');
  expect((await run('export', 'there', 'no/such/folder.gz')).stderr).toMatch(/no\/such\/folder\.gz was not written/);
});

test.each([
  [['save', '']],
  [['restore', '']],
  [['delete', '']],
  [['export', '', 'file.gz']],
  [['import', 'file.gz', '']],
])('snapshot %j is told that the name is empty', async (args) => {
  expect(await runCli(['snapshot', ...args])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'cloudjar: the name of the snapshot is empty\n',
  });
});
