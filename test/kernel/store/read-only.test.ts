import { expect, onTestFinished, test } from 'vitest';
import { collection } from '../../../src/kernel/store/collection.ts';
import { openPostgres } from '../../../src/kernel/store/index.ts';
import { withClient } from '../../support/postgres.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';

const things = collection<{ n: number }>('test.things');

test('a database that takes no writes refuses them as an outage, and its connections are not kept when it takes them again', async (context) => {
  const url = await useEmptyDatabase(context, 'read_only');
  const name = new URL(url).pathname.slice(1);
  const store = await openPostgres({ url, collections: [things], report: () => {} });
  onTestFinished(() => store.close());
  const put = (n: number) => store.transact((tx) => tx.put(things, 'one', { n }));
  await put(1);
  // Simulates a failover to a standby: the old connections are broken, and new ones reach a server that accepts no writes.
  await withClient(url, async (client) => {
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  });
  const outcome = (write: Promise<unknown>): Promise<string> =>
    write.then(
      () => 'written',
      (error: { code: string }) => error.code,
    );
  await expect.poll(() => outcome(put(2)), { timeout: 60_000 }).toBe('READ_ONLY');
  const claim = () => store.work.claim({ kinds: ['test'], now: 1, limit: 1, leaseMs: 1000 });
  expect(await outcome(claim())).toBe('READ_ONLY');
  expect((await store.get(things, 'one'))?.value).toEqual({ n: 1 });

  await withClient(url, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  });
  await expect.poll(() => outcome(put(3)), { timeout: 60_000, interval: 5 }).toBe('written');
  await expect.poll(() => outcome(claim()), { timeout: 60_000, interval: 5 }).toBe('written');
});
