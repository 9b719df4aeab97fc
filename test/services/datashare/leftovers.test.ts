import { afterAll, beforeEach, expect, it } from 'vitest';
import {
  mappings,
  ownedKey,
  type Run,
  runDataSets,
  runs,
  shareSubscriptions,
} from '../../../src/services/datashare/collections.ts';
import { draftPrefix } from '../../../src/services/datashare/copying/index.ts';
import { RUN, runId } from '../../../src/services/datashare/work.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores } from '../../support/jars.ts';
import { leftovers } from './leftovers.ts';
import {
  type Ask,
  CONSUMER,
  CONSUMER_GROUP,
  ended,
  giver,
  good,
  makeAccounts,
  PROVIDER,
  PROVIDER_GROUP,
  SHARE,
  SOURCE,
  StorageFolder,
  shareContainer,
  synchronize,
  TAKEN,
  taker,
} from './support.ts';

const folder = await StorageFolder.make();
afterAll(() => folder.remove());
const probe = new JarProbe();

const SCHEDULE = {
  kind: 'ScheduleBased',
  properties: { recurrenceInterval: 'Hour', synchronizationTime: '2026-03-01T06:00:00Z' },
};
const LATER = { expirationDate: '2030-01-01T00:00:00Z' };

onBothStores(
  'what data sharing keeps',
  (bench) => {
    let give: Ask;
    let take: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await folder.delete('target', '.');
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
      await folder.write('source', 'data/one.txt', '1');
    });

    /** Creates one of every resource, with runs of every outcome. */
    const furnish = async (): Promise<void> => {
      const { invitationId } = await shareContainer(give, take);
      await good(take('PUT', TAKEN, { properties: { invitationId, sourceShareLocation: 'eastus', ...LATER } }), 200);
      const invitation = { properties: { targetEmail: 'nobody@other.example', ...LATER } };
      await good(give('PUT', `${SHARE}/invitations/pending`, invitation), 201);
      await good(give('PUT', `${SHARE}/synchronizationSettings/hourly`, SCHEDULE), 201);
      await good(take('PUT', `${TAKEN}/triggers/hourly`, SCHEDULE), 201);
      await synchronize(take, 'FullSync');
      await bench.jar.clock.advance('3h');
      await folder.delete('source', 'data');
      expect(await synchronize(take)).toMatchObject({ status: 'Failed' });
      await folder.write('source', 'data/one.txt', '1');
      const { synchronizationId } = await good(take('POST', `${TAKEN}/synchronize`), 202);
      await take('POST', `${TAKEN}/cancelSynchronization`, { synchronizationId });
      await ended(take, synchronizationId);
    };

    it.each([
      ['the shares and the share subscriptions', [SHARE, TAKEN], [PROVIDER, CONSUMER]],
      ['the share subscriptions and the shares', [TAKEN, SHARE], [PROVIDER, CONSUMER]],
      ['the accounts', [], [PROVIDER, CONSUMER]],
      ['the accounts, consumer first', [], [CONSUMER, PROVIDER]],
      ['the groups', [], [PROVIDER_GROUP, CONSUMER_GROUP]],
    ])('goes with %s', async (_, first, second) => {
      await furnish();
      for (const paths of [first, second])
        await Promise.all(
          paths.map((path) => {
            const version = path.includes('/providers/') ? '' : '?api-version=2021-04-01';
            return good((path.startsWith(PROVIDER_GROUP) ? give : take)('DELETE', path + version), 202);
          }),
        );
      await bench.jar.settled();
      expect(await leftovers(probe)).toEqual({});
    });

    it('goes with each of its parts, one by one', async () => {
      await furnish();
      const parts: readonly (readonly [Ask, string])[] = [
        [take, `${TAKEN}/triggers/hourly`],
        [take, `${TAKEN}/dataSetMappings/all`],
        [give, `${SHARE}/synchronizationSettings/hourly`],
        [give, `${SHARE}/invitations/pending`],
        [give, `${SHARE}/invitations/otto`],
        [give, `${SHARE}/dataSets/all`],
        [take, TAKEN],
        [give, SHARE],
        [take, CONSUMER],
        [give, PROVIDER],
      ];
      for (const [who, path] of parts) await good(who('DELETE', path), 200, 202);
      await bench.jar.settled();
      expect(await leftovers(probe)).toEqual({});
    });

    it.each([
      ['its mapping', `${TAKEN}/dataSetMappings/all`],
      ['its share subscription', TAKEN],
    ])('goes with %s even where it is a part of a large file', async (_, path) => {
      await shareContainer(give, take);
      await synchronize(take);
      const [mapping] = (await probe.jar.store.query(mappings, { limit: 1 })).items;
      const draft = `.cloudjar-drafts/${draftPrefix(mapping?.value.uid ?? '')}begun`;
      await folder.write('target', draft, 'what a run that was cancelled has left');
      await folder.write('target', '.cloudjar-drafts/another', 'of another mapping');
      await good(take('DELETE', path), 200, 202);
      await bench.jar.settled();
      expect(Object.keys(await folder.files('target', '.cloudjar-drafts'))).toEqual(['another']);
      expect(await folder.files('target', 'copies')).toEqual({ 'one.txt': '1' });
    });

    it('goes with an account of 200 shares, and its operation ends when nothing is left of them', async () => {
      const set = { kind: 'Container', properties: { ...SOURCE, containerName: 'data' } };
      // In groups, because a database on a busy machine rejects too many concurrent requests.
      for (let i = 0; i < 200; i += 20) {
        const some = Array.from({ length: 20 }, async (_each, n) => {
          await good(give('PUT', `${PROVIDER}/shares/s${i + n}`, {}), 201);
          await good(give('PUT', `${PROVIDER}/shares/s${i + n}/dataSets/d`, set), 201);
        });
        await Promise.all(some);
      }
      const { headers } = await give('DELETE', PROVIDER);
      const seen: Record<string, number>[] = [];
      await expect
        .poll(async () => {
          const { status } = await give('GET', headers.get('location') ?? '');
          if (status === 200) seen.push(await leftovers(probe));
          return status;
        })
        .toBe(200);
      expect(Object.keys(seen[0] ?? {}).filter((name) => /shares|data_sets|data-sets/.test(name))).toEqual([]);
    });

    it('is not a run that took its jar down nine times before: it ends as failed', async () => {
      await shareContainer(give, take);
      const { store, clock } = probe.jar;
      const [found] = (await store.query(shareSubscriptions, { limit: 1 })).items;
      if (!found) throw new Error('there is no share subscription');
      const { key, value: subscription } = found;
      const id = '33333333-3333-4333-8333-333333333333';
      const { uid, share, shareKey, consumer } = subscription;
      const run: Run = {
        id,
        subscription: uid,
        subscriptionKey: key,
        share,
        shareKey,
        mode: 'FullSync',
        status: 'InProgress',
        queuedAt: clock.now(),
        startTime: clock.now(),
        consumer,
        holder: 'a node that is no more',
      };
      await store.transact(async (tx) => {
        await tx.put(runs, ownedKey(uid, id), run);
        await tx.put(shareSubscriptions, key, { ...subscription, active: { run: id } });
        await tx.schedule(RUN.at(clock.now() + 3_600_000, { key: ownedKey(uid, id) }, runId(uid)));
      });
      const kinds = ['datashare.run'];
      for (let attempt = 0; attempt < 10; attempt++) {
        const now = clock.now() + 3_600_000;
        const [item] = await store.work.claim({ kinds, now, limit: 1, leaseMs: 60_000 });
        if (!item) throw new Error('there is no work');
        await store.transact((tx) => tx.retry(item, now, 'taken down'));
      }
      await bench.jar.clock.advance('1h');
      expect(await ended(take, id)).toMatchObject({
        status: 'Failed',
        message: 'The synchronization was abandoned after 10 attempts.',
      });
      expect((await store.query(runDataSets, { limit: 1 })).items).toEqual([]);
      expect(await synchronize(take)).toMatchObject({ status: 'Succeeded' });
    });
  },
  {
    clockStart: '2026-03-01T00:00:00Z',
    settings: { datashare: { storageRoot: folder.root } },
    services: [...SERVICES, probe.service],
  },
);
