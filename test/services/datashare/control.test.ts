import { afterAll, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { control } from '../business/webhooks/support.ts';
import {
  giver,
  good,
  makeAccounts,
  SHARE,
  StorageFolder,
  shareContainer,
  synchronize,
  TAKEN,
  taker,
} from './support.ts';

const folder = await StorageFolder.make();
afterAll(() => folder.remove());

const schedule = (recurrenceInterval: string) => ({
  kind: 'ScheduleBased',
  properties: { recurrenceInterval, synchronizationTime: '2026-01-01T00:20:00Z' },
});

onBothStores(
  'data sharing in the control API',
  (bench) => {
    it('shows both sides of a share, and what its synchronizations have copied', async () => {
      const [give, take] = [await giver(bench), await taker(bench)];
      for (const name of ['one', 'two']) await folder.write('source', `data/${name}.txt`, name);
      await makeAccounts(give, take);
      await bench.jar.settled();
      await shareContainer(give, take);
      const { synchronizationId: id } = await synchronize(take, 'FullSync');
      await good(give('PUT', `${SHARE}/synchronizationSettings/daily`, schedule('Day')));
      await good(take('PUT', `${TAKEN}/triggers/daily`, schedule('Day')));
      await bench.jar.settled();

      const read = async (path: string) => (await control(bench, 'GET', `datashare/${path}`)).body;
      expect((await read('shares')).value).toEqual([
        expect.objectContaining({
          id: SHARE,
          account: 'giver',
          dataSets: 1,
          pendingInvitations: 0,
          consumers: 1,
          recurrenceInterval: 'Day',
        }),
      ]);
      const [subscription] = (await read('subscriptions')).value;
      expect(subscription).toMatchObject({
        id: TAKEN,
        shareId: SHARE,
        status: 'Active',
        mappings: 1,
        triggerStatus: 'Active',
        lastSynchronizationId: id,
        lastStatus: 'Succeeded',
      });
      const next = Date.parse(subscription.nextSynchronizationAt) - bench.jar.clock.now().getTime();
      expect(next).toBeGreaterThan(0);
      await bench.jar.clock.advance(next);
      const runs = (await read(`synchronizations?$filter=shareSubscriptionId eq '${TAKEN}'`)).value;
      expect(runs).toMatchObject([
        { startedBy: 'schedule', mode: 'Incremental', filesWritten: 0 },
        {
          id,
          startedBy: 'request',
          mode: 'FullSync',
          status: 'Succeeded',
          shareId: SHARE,
          filesWritten: 2,
          sizeWritten: 6,
        },
      ]);
      expect((await read(`synchronizations/${id.toUpperCase()}`)).results).toMatchObject([
        { name: 'all', kind: 'Container', status: 'Succeeded', filesRead: 2, filesWritten: 2 },
      ]);
    });

    it('a synchronization outlives the share in the list of its consumer', async () => {
      await good((await giver(bench))('DELETE', SHARE), 202);
      await bench.jar.settled();
      const { value } = (await control(bench, 'GET', 'datashare/subscriptions')).body;
      expect(value).toMatchObject([{ id: TAKEN, status: 'SourceDeleted' }]);
      expect(value[0]).not.toHaveProperty('shareId');
      const unknown = await control(bench, 'GET', 'datashare/synchronizations/unknown');
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NoSuchSynchronization']);
    });
  },
  { settings: { datashare: { storageRoot: folder.root } } },
);
