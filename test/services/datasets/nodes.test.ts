import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { MY } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
type Asked = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>;

async function node(databaseUrl: string): Promise<Asked> {
  const jar = await startJar({ databaseUrl, secretKey: 'D'.repeat(43), clock: 'shifted' });
  onTestFinished(() => jar.close());
  await jarCall(jar, jar.adminKey, 'PATCH', '/_jar/limits', [
    { name: 'datasets.pending-pushes', mode: 'unlimited' },
    { name: 'datasets.requests', mode: 'unlimited' },
  ]);
  const token = await jar.token({ user: 'admin' });
  return (method, path, body) => jarCall(jar, token, method, `${MY}/${path}`, body);
}

async function jarCall({ url }: TestJar, token: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const columns = (...names: readonly string[]) =>
  names.map((name) => ({ name, dataType: name === 'Kind' ? 'String' : 'Int64' }));

/** Two nodes of one jar, and a dataset created on the first. */
async function twoNodes(context: TestContext) {
  const databaseUrl = await usePostgresDatabase(context, 'datasets');
  const nodes = [await node(databaseUrl), await node(databaseUrl)] as const;
  const tables = [{ name: 'Sale', columns: columns('Number', 'Kind') }];
  const { body } = await nodes[0]('POST', 'datasets', { name: 'Shared', defaultMode: 'Push', tables });
  const path = `datasets/${body.id}`;
  return {
    nodes,
    push: (at: Asked, rows: readonly object[]) => at('POST', `${path}/tables/Sale/rows`, { rows }),
    change: (at: Asked, names: readonly string[]) =>
      at('PUT', `${path}/tables/Sale`, { name: 'Sale', columns: columns(...names) }),
    query: (at: Asked, query: string) =>
      at('POST', `${path}/executeQueries`, { queries: [{ query }], serializerSettings: { includeNulls: true } }),
  };
}

it('rows pushed to both nodes at once are asked for at either, and texts have one spelling', async (context) => {
  const { nodes, push, query } = await twoNodes(context);
  await push(nodes[0], [{ Number: 0, Kind: 'Fruit' }]);
  const pushes = Array.from({ length: 40 }, (_, i) =>
    push(nodes[i % 2]!, [{ Number: i, Kind: i % 3 === 0 ? 'FRUIT' : 'fruit' }]),
  );
  expect(new Set((await Promise.all(pushes)).map(({ status }) => status))).toEqual(new Set([200]));
  const total = 'EVALUATE SUMMARIZECOLUMNS(Sale[Kind], "Rows", COUNTROWS(Sale), "Sum", SUM(Sale[Number]))';
  for (const at of nodes) {
    const { body } = await query(at, total);
    expect(body.results[0].tables[0].rows).toEqual([{ 'Sale[Kind]': 'Fruit', '[Rows]': 41, '[Sum]': 780 }]);
  }
});

it('queries at one node while the other changes the table answer by the old table or by the new one', async (context) => {
  const { nodes, push, change, query } = await twoNodes(context);
  await push(
    nodes[0],
    Array.from({ length: 500 }, (_, i) => ({ Number: i, Kind: 'a' })),
  );
  let isChanging = true;
  const changes = (async () => {
    for (let i = 0; i < 20; i++) {
      const names = i % 2 === 0 ? ['Number', 'Kind', 'More'] : ['Number', 'Kind'];
      expect((await change(nodes[0], names)).status).toBe(200);
    }
    isChanging = false;
  })();
  const seen = new Set<string>();
  for (let i = 0; isChanging; i++) {
    const column = i % 2 === 0 ? 'Number' : 'More';
    const { status, body } = await query(nodes[1], `EVALUATE ROW("Result", COUNTROWS(Sale) + SUM(Sale[${column}]))`);
    const result = body.results?.[0].tables[0].rows[0]['[Result]'];
    seen.add(`${column} ${status} ${result ?? body.error.code}`);
  }
  await changes;
  seen.delete('More 200 500');
  seen.delete('More 400 DatasetExecuteQueriesError');
  expect([...seen]).toEqual(['Number 200 125250']);
});
