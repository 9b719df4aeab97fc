import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { adminKey, runCli, type StartedJar, spawnCli, startCli, temporaryFolder } from '../cli.ts';

const ROWS = 60_000;
const BATCH = 500;

async function createDataset({ folder, url }: StartedJar): Promise<void> {
  const { stdout: token } = await runCli(['token', '--data', folder]);
  const response = await fetch(`${url}/v1.0/myorg/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'D', tables: [{ name: 'T', columns: [{ name: 'id', dataType: 'Int64' }] }] }),
  });
  expect(response.status).toBe(201);
}

async function rowsOf({ folder, url }: StartedJar): Promise<number> {
  const headers = { authorization: `Bearer ${adminKey(folder)}` };
  const { value } = (await (await fetch(`${url}/_jar/datasets`, { headers })).json()) as { value: { rows: number }[] };
  return value[0]?.rows ?? 0;
}

function file(): string {
  const path = join(temporaryFolder(), 'rows.ndjson');
  writeFileSync(path, Array.from({ length: ROWS }, (_, id) => `{"id":${id}}\n`).join(''));
  return path;
}

/** Expects each row exactly once. */
async function expectAll({ folder }: StartedJar): Promise<void> {
  const query = 'EVALUATE ROW("rows", COUNTROWS(T), "ids", DISTINCTCOUNT(T[id]))';
  const { stdout } = await runCli(['datasets', 'query', 'D', query, '--json', '--data', folder]);
  expect(JSON.parse(stdout)).toEqual([{ '[rows]': ROWS, '[ids]': ROWS }]);
}

const counted = (text: string): number => Number(text.replaceAll(',', ''));

test('an import whose jar is killed reports the stored rows, which exist after a restart, and can be continued', async () => {
  const first = await startCli();
  await createDataset(first);
  const rows = file();
  const importing = ['datasets', 'import', rows, '--dataset', 'D', '--batch', String(BATCH), '--data', first.folder];
  const running = spawnCli(importing);
  await eventually(async () => expect(await rowsOf(first)).toBeGreaterThan(2 * BATCH));
  first.kill('SIGKILL');
  await first.result;
  const { code, stderr } = await running.result;
  expect(code).toBe(1);
  const [, stored = '', skip = '', perhaps] =
    /; ([\d,]+) rows are stored[;,] .*continue with --skip (\d+)(?: or --skip (\d+))?\n$/.exec(stderr) ?? [];
  expect(counted(stored)).toBe(Number(skip));
  expect(Number(skip)).toBeGreaterThan(0);

  const second = await startCli([], { folder: first.folder });
  const there = await rowsOf(second);
  // A batch without an answer is stored completely or not at all.
  expect([Number(skip), Number(perhaps ?? skip)]).toContain(there);
  const rest = await runCli([...importing, '--skip', String(there), '--json']);
  expect(rest).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(rest.stdout)).toMatchObject({ imported: ROWS - there, skipped: there, rows: ROWS });
  await expectAll(second);
});

test('Ctrl-C ends an import behind a batch, and says how to go on', async () => {
  const jar = await startCli(['--memory']);
  await createDataset(jar);
  const rows = file();
  const importing = ['datasets', 'import', rows, '--dataset', 'D', '--batch', String(BATCH), '--data', jar.folder];
  const running = spawnCli(importing);
  await eventually(async () => expect(await rowsOf(jar)).toBeGreaterThan(0));
  running.kill('SIGINT');
  const { code, stderr } = await running.result;
  const [, stored = '', skip = ''] =
    /^cloudjar: interrupted; ([\d,]+) rows are stored; continue with --skip (\d+)\n$/.exec(stderr) ?? [];
  expect({ code, stored: counted(stored) }).toEqual({ code: 1, stored: Number(skip) });
  expect(await rowsOf(jar)).toBe(Number(skip));
  expect(await runCli([...importing, '--skip', skip])).toMatchObject({ code: 0, stderr: '' });
  await expectAll(jar);
});
