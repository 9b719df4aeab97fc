import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freeze } from '../support/frozen.ts';
import { createDatabase, startPostgres } from '../support/postgres.ts';
import { adminKey, runCli, startCli } from './cli.ts';

test('a jar whose database hangs ends when it is told to, whatever it was doing', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const url = await createDatabase(server.url, 'hangs');
  const jar = await startCli(['--database-url', url, '--shutdown-timeout-ms', '4000']);
  const headers = { authorization: `Bearer ${adminKey(jar.folder)}` };
  expect((await fetch(`${jar.url}/_jar/work`, { headers })).status).toBe(200);
  onTestFinished(freeze(server.pid));
  const waiting = Array.from({ length: 20 }, () => fetch(`${jar.url}/_jar/work`, { headers }).catch(() => 'cut off'));
  jar.kill('SIGTERM');
  const { code } = await jar.result;
  expect([0, 1]).toContain(code);
  await Promise.all(waiting);
});

test('a jar whose log was cut says so when it starts, in its health and to doctor', async () => {
  const killed = await startCli([]);
  const headers = { authorization: `Bearer ${adminKey(killed.folder)}`, 'content-type': 'application/json' };
  const user = (n: number) =>
    fetch(`${killed.url}/_jar/inbox/letters-${n}`, { method: 'POST', headers, body: JSON.stringify({ n }) });
  for (let n = 0; n < 20; n++) expect((await user(n)).status).toBeLessThan(300);
  killed.kill('SIGKILL');
  await killed.result;
  const log = join(killed.folder, 'jar.db-wal');
  truncateSync(log, Math.floor(statSync(log).size / 2));

  const jar = await startCli([], { folder: killed.folder });
  expect(jar.stderr()).toMatch(/its log ends after \d+ of the \d+ pages that were committed/);
  const health = await fetch(`${jar.url}/_jar/health`);
  const told = await health.text();
  expect([health.status, JSON.parse(told)]).toMatchObject([200, { status: 'degraded', troubles: [{ part: 'data' }] }]);
  expect(told).not.toContain(jar.folder);
  expect(jar.stderr()).toContain(jar.folder);
  const doctor = await runCli(['doctor', '--data', jar.folder]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/its log ends after \d+ of the \d+ pages/);
});
