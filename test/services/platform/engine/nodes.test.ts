import { expect, it, onTestFinished } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Reply } from '../../../support/jars.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';

const LIMIT = 'platform.query-snippets';
const MOST = 23;
const CLIENTS = 64;

async function node(databaseUrl?: string): Promise<TestJar> {
  const jar = await startJar({ databaseUrl, secretKey: 'B'.repeat(43), clock: 'shifted' });
  onTestFinished(() => jar.close());
  return jar;
}

async function call(jar: TestJar, token: string, method: string, path: string, sent?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = sent === undefined ? null : JSON.stringify(sent);
  const answer = await fetch(`${jar.url}${path}`, { method, headers, body });
  const parsed: Reply['body'] = await answer.json();
  return { status: answer.status, body: parsed };
}

/** How many of 64 concurrent calls, spread across the nodes, are accepted. */
async function accepted(nodes: readonly TestJar[]): Promise<number> {
  const [first] = nodes as readonly [TestJar];
  await call(first, first.adminKey, 'PATCH', '/_jar/limits', { name: LIMIT, limit: MOST });
  for (const each of nodes)
    await eventually(async () => {
      const { body } = await call(each, each.adminKey, 'GET', `/_jar/limits?name=${LIMIT}`);
      expect(body.value[0].inForce.limit).toBe(MOST);
    });
  const token = await first.token({ ttl: '365d' });
  const replies = await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) =>
      call(nodes[index % nodes.length] as TestJar, token, 'POST', '/api/2.0/preview/sql/query_snippets', {
        trigger: `t${index}`,
        snippet: 'x',
      }),
    ),
  );
  const refused = replies.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ body }) => body.error_code))).toEqual(new Set(['RESOURCE_LIMIT_EXCEEDED']));
  const listed = await call(first, token, 'GET', '/api/2.0/preview/sql/query_snippets');
  expect(listed.body).toHaveLength(CLIENTS - refused.length);
  return CLIENTS - refused.length;
}

it('64 concurrent clients against a limit: exactly as many are accepted, on one node', async () => {
  expect(await accepted([await node()])).toBe(MOST);
});

it('64 concurrent clients against a limit: exactly as many are accepted, on two nodes', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'engine');
  expect(await accepted([await node(databaseUrl), await node(databaseUrl)])).toBe(MOST);
});
