import { expect, onTestFinished, test } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { holdLock } from '../../support/held-lock.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';

test('the first signing key is created for all waiting requests, even if the first one was cancelled', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'keys');
  const jar = await startJar({ databaseUrl });
  onTestFinished(() => jar.close());
  const ask = (signal?: AbortSignal): Promise<Response> =>
    fetch(`${jar.url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jar.adminKey}`, 'content-type': 'application/json' },
      body: '{}',
      ...(signal && { signal }),
    });

  const lock = await holdLock(databaseUrl, 'auth.keys');
  onTestFinished(() => lock.release());
  const leaving = new AbortController();
  const left = expect(ask(leaving.signal)).rejects.toThrow();
  await lock.wanted();
  const others = [ask(), ask()];
  // When this later request is answered, the earlier ones have reached the jar.
  expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
  leaving.abort();
  await left;
  expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
  await lock.release();
  for (const answer of await Promise.all(others))
    expect([answer.status, await answer.text()]).toMatchObject([200, expect.stringContaining('token')]);
});
