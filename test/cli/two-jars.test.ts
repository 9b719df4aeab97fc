import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jarFileName } from '../../src/cli/jar-file.ts';
import { runCli, startCli, temporaryFolder } from './cli.ts';

const onFolder = (folder: string) => ['start', '--port', '0', '--https-port', '0', '--data', folder];

test('the second jar on a folder is refused and told who has it; after a kill -9 of the first it starts', async () => {
  const first = await startCli();
  const second = await runCli(onFolder(first.folder));
  expect(second).toEqual({
    code: 1,
    stdout: '',
    stderr: `cloudjar: the data folder ${first.folder} is in use by process ${first.pid}\n`,
  });
  expect((await fetch(`${first.url}/_jar/health`)).status).toBe(200);

  first.kill('SIGKILL');
  await first.result;
  const third = await startCli([], { folder: first.folder });
  expect((await fetch(`${third.url}/_jar/health`)).status).toBe(200);
});

test('of many jars that start on one new folder at once exactly one runs', async () => {
  const first = await startCli();
  first.kill('SIGTERM');
  await first.result;
  const starts = Array.from({ length: 4 }, () => startCli([], { folder: first.folder }));
  const settled = await Promise.allSettled(starts);
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
});

test('jars in memory share a folder with each other and with one that has its database there', async () => {
  const filed = await startCli();
  const memory = await Promise.all([1, 2, 3].map(() => startCli(['--memory'], { folder: filed.folder })));
  const key = readFileSync(join(filed.folder, 'admin.key'), 'utf8').trim();
  for (const jar of [filed, ...memory]) {
    const clock = await fetch(`${jar.url}/_jar/clock`, { headers: { authorization: `Bearer ${key}` } });
    expect(clock.status).toBe(200);
  }
});

test('jars in memory that start at once on a new folder agree on its keys, and a jar with a database takes it over later', async () => {
  const folder = temporaryFolder();
  const jars = await Promise.all([1, 2, 3, 4].map(() => startCli(['--memory'], { folder })));
  const authorities = await Promise.all(jars.map(async ({ url }) => (await fetch(`${url}/_jar/ca.pem`)).text()));
  expect(new Set(authorities)).toEqual(new Set([readFileSync(join(folder, 'ca.pem'), 'utf8')]));
  const filed = await startCli([], { folder });
  expect(await (await fetch(`${filed.url}/_jar/health`)).json()).toMatchObject({ store: 'sqlite' });
});

test('commands talk to the jar of a shared folder that was started last and still runs', async () => {
  const first = await startCli(['--memory', '--clock', 'virtual', '--clock-start', '2026-01-01T00:00:00Z']);
  const { folder } = first;
  const next = (year: number) =>
    startCli(['--memory', '--clock', 'virtual', '--clock-start', `${year}-01-01T00:00:00Z`], { folder });
  const year = async () => (await runCli(['clock', '--data', folder])).stdout.slice(0, 4);
  const second = await next(2027);
  expect(await year()).toBe('2027');
  second.kill('SIGTERM');
  await second.result;
  expect(await year()).toBe('2026');
  const third = await next(2028);
  third.kill('SIGKILL');
  await third.result;
  expect(await year()).toBe('2026');
  const fourth = await next(2029);
  expect(readdirSync(folder).filter((name) => name.startsWith('jar-'))).toEqual(
    [first, fourth].map(({ pid }) => jarFileName(pid)).sort(),
  );
  first.kill('SIGTERM');
  await first.result;
  expect(await year()).toBe('2029');
});
