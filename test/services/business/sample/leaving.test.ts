import { expect, onTestFinished, test } from 'vitest';
import { startJar } from '../../../../src/testing/index.ts';
import { holdLock } from '../../../support/held-lock.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';

test('the companies of a tenant are created for all waiting clients, even if the first has disconnected', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'leaving');
  const jar = await startJar({ databaseUrl });
  onTestFinished(() => jar.close());
  const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
  const companies = `${jar.url}/api/v2.0/companies`;
  const [, claims = ''] = headers.authorization.split('.');
  const { tid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { tid: string };

  const lock = await holdLock(databaseUrl, `business/tenants/${tid}`);
  onTestFinished(() => lock.release());
  const leaving = new AbortController();
  const first = fetch(companies, { method: 'POST', headers, body: '{}', signal: leaving.signal });
  const left = expect(first).rejects.toThrow();
  await lock.wanted();
  const others = [fetch(companies, { headers }), fetch(companies, { headers })];
  // The requests have reached the jar once a later one is answered.
  expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
  leaving.abort();
  await left;
  expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
  await lock.release();
  for (const answer of await Promise.all(others))
    expect([answer.status, await answer.text()]).toMatchObject([200, expect.stringContaining('BRENNSEE')]);
});
