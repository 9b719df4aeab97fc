import { afterAll, beforeEach, expect, it } from 'vitest';
import { roleAssignments } from '../../../src/kernel/arm/collections.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { OTHER_SUBSCRIPTION, onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import {
  ACCOUNT_BODY,
  type Ask,
  CONSUMER,
  detailsOf,
  giver,
  good,
  makeAccounts,
  place,
  SHARE,
  SOURCE,
  StorageFolder,
  shareContainer,
  side,
  synchronize,
  TAKEN,
  TARGET,
  taker,
} from './support.ts';

const folder = await StorageFolder.make();
afterAll(() => folder.remove());
const probe = new JarProbe();

const LICENSED = '10000000-0000-4000-8000-000000000012';
const SCHEDULE = {
  kind: 'ScheduleBased',
  properties: { recurrenceInterval: 'Day', synchronizationTime: '2026-03-01T06:00:00Z' },
};

onAnyStore(
  'the two sides of a share',
  (bench) => {
    let give: Ask;
    let take: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      for (const account of ['source', 'target']) await folder.delete(account, '.');
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
      await folder.write('source', 'data/x/one.txt', '1');
    });

    const consumerOf = async (): Promise<string> => {
      const { value } = await good(give('GET', `${SHARE}/providerShareSubscriptions`));
      return `${SHARE}/providerShareSubscriptions/${value[0].name}`;
    };
    /** Everything that a side can read about the runs of a share and about one run. */
    const readings = async (ask: Ask, owner: string, id: string): Promise<string> =>
      JSON.stringify([await good(ask('POST', `${owner}/listSynchronizations`)), await detailsOf(ask, owner, id)]);

    it('tell a consumer nothing of the storage account that is shared from', async () => {
      await shareContainer(give, take, 'nowhere');
      const { synchronizationId } = await synchronize(take);
      const seen = await readings(take, TAKEN, synchronizationId);
      expect(seen).toContain("The storage account of the provider has no container 'nowhere'.");
      expect(seen).not.toContain("'source'");
      expect(await readings(give, SHARE, synchronizationId)).toContain("The storage account 'source' has no container");
    });

    it('tell a provider nothing about where a consumer keeps its copies', async () => {
      const { dataSetId } = await shareContainer(give, take);
      const secret = { ...TARGET, dataSetId, containerName: 'hidden-place', prefix: 'secret-plan' };
      await good(take('PUT', `${TAKEN}/dataSetMappings/all`, { kind: 'BlobFolder', properties: secret }), 200);
      await folder.write('target', 'hidden-place/secret-plan', 'a file where a folder is needed');
      const { synchronizationId } = await synchronize(take);
      expect(await readings(take, TAKEN, synchronizationId)).toContain("'secret-plan/x/one.txt' cannot be written");
      const seen = await readings(give, SHARE, synchronizationId);
      expect(seen).toContain('PathConflict');
      expect(seen).not.toMatch(/secret-plan|hidden-place|target/);
      // A filter must not reveal it either.
      const guess = `$filter=${encodeURIComponent("contains(message,'secret')")}`;
      expect((await good(take('POST', `${TAKEN}/listSynchronizations?${guess}`))).value).toHaveLength(1);
      expect((await good(give('POST', `${SHARE}/listSynchronizations?${guess}`))).value).toEqual([]);
      const body = { synchronizationId };
      expect((await good(give('POST', `${SHARE}/listSynchronizationDetails?${guess}`, body))).value).toEqual([]);
    });

    it('tell a provider the name of the data set that is gone, not that of the mapping', async () => {
      const { dataSetId } = await shareContainer(give, take);
      await folder.write('source', 'more/two.txt', '2');
      const more = { kind: 'Container', properties: { ...SOURCE, containerName: 'more' } };
      const { properties } = await good(give('PUT', `${SHARE}/dataSets/more`, more), 201);
      const mapping = { ...TARGET, dataSetId: properties.dataSetId, containerName: 'others' };
      await good(take('PUT', `${TAKEN}/dataSetMappings/private`, { kind: 'Container', properties: mapping }), 201);
      await good(give('DELETE', `${SHARE}/dataSets/more`), 200);
      const run = await synchronize(take);
      expect(run).toMatchObject({
        status: 'Failed',
        message: expect.stringContaining('removed the data set from the share'),
      });
      const details = await detailsOf(give, SHARE, run.synchronizationId);
      expect(details.map(({ name, status }) => [name, status])).toEqual([
        ['all', 'Succeeded'],
        ['more', 'Failed'],
      ]);
      expect(details[0]).toMatchObject({ dataSetId });
    });

    it('leave the expiry of a consumer to the provider', async () => {
      const { invitationId } = await shareContainer(give, take);
      const consumer = await consumerOf();
      const until = (year: number) => ({ properties: { expirationDate: `${year}-01-01T00:00:00Z` } });
      await good(give('POST', `${consumer}/adjust`, until(2030)));
      const wish = (year: number) => ({
        properties: { invitationId, sourceShareLocation: 'eastus', ...until(year).properties },
      });
      const refused = await take('PUT', TAKEN, wish(2031));
      expect(refused).toMatchObject({ status: 400, body: { error: { target: 'properties.expirationDate' } } });
      expect((await good(give('GET', consumer))).properties.expirationDate).toBe('2030-01-01T00:00:00.000Z');
      const sooner = await good(take('PUT', TAKEN, wish(2029)), 200);
      expect(sooner.properties.expirationDate).toBe('2029-01-01T00:00:00.000Z');
    });

    it('let a consumer write a share subscription again whose invitation was deleted', async () => {
      const { invitationId } = await shareContainer(give, take);
      await good(give('DELETE', `${SHARE}/invitations/otto`), 200);
      const body = { properties: { invitationId, sourceShareLocation: 'eastus' } };
      expect((await take('PUT', TAKEN, body)).status).toBe(200);
      expect((await take('PUT', `${CONSUMER}/shareSubscriptions/second`, body)).status).toBe(404);
    });

    it('deny a revoked consumer everything except its existing copies', async () => {
      const { dataSetId } = await shareContainer(give, take);
      await good(give('PUT', `${SHARE}/synchronizationSettings/daily`, SCHEDULE), 201);
      await good(give('POST', `${await consumerOf()}/revoke`), 202);
      await bench.jar.settled();
      expect((await good(take('GET', `${TAKEN}/consumerSourceDataSets`))).value).toEqual([]);
      expect((await good(take('POST', `${TAKEN}/listSourceShareSynchronizationSettings`))).value).toEqual([]);
      const mapping = { kind: 'Container', properties: { ...TARGET, dataSetId, containerName: 'other' } };
      const answers = await Promise.all([
        take('POST', `${TAKEN}/synchronize`),
        take('PUT', `${TAKEN}/dataSetMappings/all`, mapping),
        // The responses for offered and other schedules must be equal.
        take('PUT', `${TAKEN}/triggers/daily`, SCHEDULE),
        take('PUT', `${TAKEN}/triggers/daily`, {
          ...SCHEDULE,
          properties: { ...SCHEDULE.properties, recurrenceInterval: 'Hour' },
        }),
      ]);
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
        [400, 'ShareSubscriptionInWrongState'],
        [400, 'InvalidProperty'],
        [400, 'ShareSubscriptionInWrongState'],
        [400, 'ShareSubscriptionInWrongState'],
      ]);
    });

    it('do not let a user with a role in one group use the storage of another', async () => {
      const ofGroup = (name: string) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`;
      await good(give('PUT', `${ofGroup('side')}?api-version=2021-04-01`, { location: 'eastus' }));
      await shareContainer(give, take);
      const assignments = [{ scope: ofGroup('side'), role: 'Contributor' as const }];
      await probe.jar.store.transact(
        async (tx) => void (await tx.put(roleAssignments, LICENSED, { principalId: LICENSED, assignments })),
      );
      const lin = await side(bench, 'licensed');
      const account = `${ofGroup('side')}/providers/Vendor.DataShare/accounts/lin`;
      await good(lin('PUT', account, ACCOUNT_BODY), 201);
      await good(lin('PUT', `${account}/shares/s`, {}), 201);
      const set = (name: string, storage: string) =>
        lin('PUT', `${account}/shares/s/dataSets/${name}`, {
          kind: 'Container',
          properties: { ...place(storage, SUBSCRIPTION, 'side'), containerName: 'data' },
        });
      expect(await set('mine', 'linsown')).toMatchObject({ status: 201 });
      expect(await set('theirs', 'source')).toMatchObject({
        status: 400,
        body: { error: { code: 'InvalidStorageAccount' } },
      });
      // A caller with write access to the whole subscription may use all accounts, whichever group they name.
      const all = {
        kind: 'Container',
        properties: { ...place('linsown', SUBSCRIPTION, 'giving'), containerName: 'data' },
      };
      await good(give('PUT', `${SHARE}/dataSets/lins`, all), 201);
    });

    it('give a storage account to one of two tenants that name it at once', async () => {
      const { dataSetId } = await shareContainer(give, take);
      const mine = {
        kind: 'Container',
        properties: { ...place('wanted', SUBSCRIPTION, 'giving'), containerName: 'data' },
      };
      const theirs = {
        kind: 'Container',
        properties: { ...place('wanted', OTHER_SUBSCRIPTION, 'taking'), containerName: 'data', dataSetId },
      };
      const answers = await Promise.all([
        give('PUT', `${SHARE}/dataSets/wanted`, mine),
        take('PUT', `${TAKEN}/dataSetMappings/all`, theirs),
      ]);
      const refused = answers.filter(({ status }) => status === 400);
      expect(refused.map(({ body }) => body.error.code)).toEqual(['InvalidStorageAccount']);
    });
  },
  { settings: { datashare: { storageRoot: folder.root } }, services: [...SERVICES, probe.service] },
);
