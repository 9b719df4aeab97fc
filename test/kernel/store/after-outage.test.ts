import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/kernel/store/index.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { losingProxy } from '../../support/losing-proxy.ts';
import { createDatabase, startPostgres, withClient } from '../../support/postgres.ts';

const OUTAGE_MS = 6500;

test('a node that was cut off from the database says that it lives before one that starts then counts it as dead', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const url = await createDatabase(server.url, 'after_outage');
  const proxy = await losingProxy(url);
  onTestFinished(() => proxy.stop());
  const node = await openPostgres({ url: proxy.url, collections: [], report: () => {} });
  onTestFinished(() => node.close());
  await node.transact((tx) => tx.schedule({ kind: 'test', dueAt: 0, payload: {} }));
  const held = await node.work.claim({ kinds: ['test'], now: 1, limit: 1, leaseMs: 600_000 });
  expect(held).toHaveLength(1);
  const beat = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ beat: string }>(
        'SELECT beat FROM cloudjar.nodes WHERE $1 LIKE node || $2',
        [held[0]!.lease, ':%'],
      );
      return Number(rows[0]?.beat ?? 0);
    });

  const restore = await proxy.cutOff();
  await pause(OUTAGE_MS);
  const before = await beat();
  await restore();
  const other = await openPostgres({ url, collections: [], report: () => {} });
  onTestFinished(() => other.close());
  await expect.poll(beat, { timeout: 60_000 }).not.toBe(before);
  expect(await node.work.renew(held, 600_000)).toEqual([held[0]!.id]);
});
