import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useEmptyDatabase, usePostgresDatabase } from '../support/use-postgres.ts';
import { runCli, startCli, temporaryFolder } from './cli.ts';

test('nodes on one database share a folder, and each takes the tokens of the other', async (context) => {
  const database = await useEmptyDatabase(context, 'nodes');
  const folder = temporaryFolder();
  const nodes = await Promise.all([1, 2].map(() => startCli(['--database-url', database], { folder })));
  const key = readFileSync(join(folder, 'admin.key'), 'utf8').trim();
  for (const [from, to] of [nodes, nodes.toReversed()]) {
    const issued = await fetch(`${from?.url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const answer = await fetch(`${to?.url}/subscriptions?api-version=2022-12-01`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  }
});

test('a node with another secret key is refused with what to do, and that helps', async (context) => {
  const database = await usePostgresDatabase(context, 'keys');
  const first = await startCli(['--database-url', database]);
  const folder = temporaryFolder();
  const flags = ['start', '--port', '0', '--https-port', '0', '--database-url', database, '--data', folder];
  const refused = await runCli(flags);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe(
    `cloudjar: ${folder}/secret.key is not the key of this database: copy secret.key from the data folder of the jar that created it, or set CLOUDJAR_SECRET_KEY to its content\n`,
  );
  const env = { CLOUDJAR_SECRET_KEY: readFileSync(join(first.folder, 'secret.key'), 'utf8').trim() };
  const second = await startCli(['--database-url', database], { folder, env });
  expect(await (await fetch(`${second.url}/_jar/health`)).json()).toMatchObject({ store: 'postgres' });
});
