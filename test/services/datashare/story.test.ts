import { ResourceManagementClient } from '@azure/arm-resources';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { OTHER_SUBSCRIPTION, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import {
  ACCOUNT_BODY,
  type Ask,
  CONSUMER,
  detailsOf,
  giver,
  good,
  makeAccounts,
  PROVIDER,
  PROVIDER_GROUP,
  SHARE,
  SOURCE,
  StorageFolder,
  synchronize,
  TAKEN,
  TARGET,
  taker,
  VERSION,
} from './support.ts';

const START = '2026-03-01T00:00:00.000Z';
const folder = await StorageFolder.make();
afterAll(() => folder.remove());

onBothStores(
  'a provider shares a folder, a consumer of another tenant copies it every hour',
  (bench) => {
    let give: Ask;
    let take: Ask;
    let invitationId = '';
    let dataSetId = '';

    const runs = async (ask: Ask, owner: string, query = ''): Promise<Record<string, string>[]> => {
      const found: Record<string, string>[] = [];
      let next: string | undefined = `${owner}/listSynchronizations${query}`;
      while (next !== undefined) {
        const page: { value: Record<string, string>[]; nextLink?: string } = await good(ask('POST', next), 200);
        found.push(...page.value);
        next = page.nextLink;
      }
      return found;
    };

    it('opens an account on each side', async () => {
      await folder.delete('source', '.');
      await folder.delete('target', '.');
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
      await bench.jar.settled();
      const account = await good(give('GET', PROVIDER));
      expect(account).toMatchObject({
        name: 'giver',
        type: 'Vendor.DataShare/accounts',
        location: 'eastus',
        identity: { type: 'SystemAssigned' },
        properties: {
          provisioningState: 'Succeeded',
          createdAt: START,
          userName: 'Ada Admin',
          userEmail: 'admin@vendor.example',
        },
      });
      expect(account).not.toHaveProperty('uid');
      expect(account).not.toHaveProperty('tags');
    });

    it('is reached by the generic calls of the official client', async () => {
      const client = new ResourceManagementClient(
        {
          getToken: async () => ({
            token: await bench.jar.token({ ttl: '1h' }),
            expiresOnTimestamp: Date.now() + 3_600_000,
          }),
        },
        SUBSCRIPTION,
        { endpoint: bench.jar.httpsUrl },
      );
      const id = `${PROVIDER_GROUP}/providers/Vendor.DataShare/accounts/bysdk`;
      const made = await client.resources.beginCreateOrUpdateByIdAndWait(id, VERSION, ACCOUNT_BODY as never);
      expect(made.name).toBe('bysdk');
      await client.resources.beginDeleteByIdAndWait(id, VERSION);
      await expect(client.resources.getById(id, VERSION)).rejects.toMatchObject({ statusCode: 404 });
    });

    it('shares a folder and invites a user of another tenant', async () => {
      await folder.write('source', 'data/reports/2026/january.csv', 'a,b\n1,2\n');
      await folder.write('source', 'data/reports/2026/february.csv', 'a,b\n3,4\n');
      await folder.write('source', 'data/private/salaries.csv', 'not for others');
      await good(give('PUT', SHARE, { properties: { description: 'Figures', terms: 'Be kind' } }), 201);
      const dataSet = { kind: 'BlobFolder', properties: { ...SOURCE, containerName: 'data', prefix: 'reports' } };
      const { properties } = await good(give('PUT', `${SHARE}/dataSets/reports`, dataSet), 201);
      dataSetId = properties.dataSetId;
      const schedule = { recurrenceInterval: 'Hour', synchronizationTime: START };
      await good(
        give('PUT', `${SHARE}/synchronizationSettings/hourly`, { kind: 'ScheduleBased', properties: schedule }),
        201,
      );
      const invitation = { properties: { targetEmail: 'Other@Other.example' } };
      const sent = await give('PUT', `${SHARE}/invitations/otto`, invitation);
      expect(sent.status).toBe(201);
      expect(JSON.parse(sent.headers.get('x-ms-quota') ?? '')).toEqual([
        {
          currentUsed: 1,
          limit: 200,
          name: { value: 'Invitation resource quota', localizedValue: 'Invitation resource quota' },
          target: `${SHARE}/invitations/otto`,
        },
      ]);
      invitationId = sent.body.properties.invitationId;
      expect(sent.body.properties).toMatchObject({ invitationStatus: 'Pending', sentAt: START });
    });

    it('shows the invitation to the invited alone', async () => {
      const { value } = await good(take('GET', '/providers/Vendor.DataShare/listInvitations'));
      expect(value).toMatchObject([
        {
          name: 'otto',
          properties: {
            invitationId,
            shareName: 'numbers',
            dataSetCount: 1,
            termsOfUse: 'Be kind',
            providerName: 'Ada Admin',
            providerTenantName: 'Vendor Example',
          },
        },
      ]);
      expect((await good(give('GET', '/providers/Vendor.DataShare/listInvitations'))).value).toEqual([]);
    });

    it('is accepted by a share subscription', async () => {
      const wish = { properties: { invitationId, sourceShareLocation: 'East US' } };
      const { properties } = await good(take('PUT', TAKEN, wish), 201);
      expect(properties).toMatchObject({
        shareSubscriptionStatus: 'Active',
        shareName: 'numbers',
        shareTerms: 'Be kind',
        providerEmail: 'admin@vendor.example',
      });
      const answered = await good(give('GET', `${SHARE}/invitations/otto`));
      expect(answered.properties).toMatchObject({ invitationStatus: 'Accepted', respondedAt: START });
      const { value } = await good(take('GET', `${TAKEN}/consumerSourceDataSets`));
      expect(value).toMatchObject([
        { properties: { dataSetId, dataSetName: 'reports', dataSetPath: 'data/reports', dataSetType: 'BlobFolder' } },
      ]);
    });

    it('copies mapped data sets on demand', async () => {
      const nothing = await take('POST', `${TAKEN}/synchronize`, {});
      expect(nothing).toMatchObject({ status: 400, body: { error: { code: 'NothingMapped' } } });
      const mapping = {
        kind: 'AdlsGen2Folder',
        properties: { ...TARGET, dataSetId, fileSystem: 'lake', folderPath: 'from/giver' },
      };
      await good(take('PUT', `${TAKEN}/dataSetMappings/reports`, mapping), 201);
      const run = await synchronize(take, 'FullSync');
      expect(run).toMatchObject({ status: 'Succeeded', synchronizationMode: 'FullSync' });
      expect(await folder.files('target', 'lake')).toEqual({
        'from/giver/2026/january.csv': 'a,b\n1,2\n',
        'from/giver/2026/february.csv': 'a,b\n3,4\n',
      });
      const [detail] = await detailsOf(take, TAKEN, run.synchronizationId);
      expect(detail).toMatchObject({ dataSetId, filesRead: 2, filesWritten: 2, sizeRead: 16, sizeWritten: 16 });
      expect(await detailsOf(give, SHARE, run.synchronizationId)).toEqual([detail]);
    });

    it('follows the schedule of the source: 72 runs in three days', async () => {
      const schedules = await good(take('POST', `${TAKEN}/listSourceShareSynchronizationSettings`));
      const offered = { recurrenceInterval: 'Hour', synchronizationTime: START };
      expect(schedules).toEqual({ value: [{ kind: 'ScheduleBased', properties: offered }] });
      const made = await take('PUT', `${TAKEN}/triggers/hourly`, { kind: 'ScheduleBased', properties: offered });
      expect(made).toMatchObject({
        status: 201,
        body: { properties: { provisioningState: 'Creating', triggerStatus: 'Inactive' } },
      });
      await bench.jar.settled();
      const { properties } = await good(take('GET', `${TAKEN}/triggers/hourly`));
      expect(properties).toMatchObject({ triggerStatus: 'Active', synchronizationMode: 'Incremental' });
      await bench.jar.clock.advance('3d');
      const filter = `?$filter=${encodeURIComponent("synchronizationMode eq 'Incremental' and status eq 'Succeeded'")}`;
      const all = await runs(take, TAKEN, filter);
      expect(all).toHaveLength(72);
      expect(all[0]).toMatchObject({ startTime: '2026-03-04T00:00:00.000Z' });
      expect(all[71]).toMatchObject({ startTime: '2026-03-01T01:00:00.000Z' });
      const seen = await runs(give, SHARE, filter);
      expect(seen).toHaveLength(72);
      expect(seen[0]).toEqual({
        ...all[0],
        consumerName: 'Otto Other',
        consumerEmail: 'other@other.example',
        consumerTenantName: 'Other Example',
      });
    });

    it('copies only what has changed', async () => {
      await folder.write('source', 'data/reports/2026/february.csv', 'a,b\n5,6,7\n');
      await bench.jar.clock.advance('1h');
      const [latest] = await runs(take, TAKEN, '?$top=1');
      const [detail] = await detailsOf(take, TAKEN, String(latest?.synchronizationId));
      expect(detail).toMatchObject({ filesRead: 1, filesWritten: 1, sizeWritten: 10 });
      expect(await folder.files('target', 'lake')).toMatchObject({ 'from/giver/2026/february.csv': 'a,b\n5,6,7\n' });
    });

    it('pages through the runs while new ones arrive', async () => {
      const first = await good(take('POST', `${TAKEN}/listSynchronizations?$top=50`));
      expect(first.value).toHaveLength(50);
      await bench.jar.clock.advance('2h');
      const token = new URL(first.nextLink).searchParams.get('$skiptoken') ?? '';
      const second = await good(
        take('POST', `${TAKEN}/listSynchronizations?$top=50&$skip=${encodeURIComponent(token)}`),
      );
      const ids = [...first.value, ...second.value].map(({ synchronizationId }) => synchronizationId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(74);
      expect(second).not.toHaveProperty('nextLink');
    });

    it('ends when the provider revokes it, and begins again when it is reinstated', async () => {
      const { value } = await good(give('GET', `${SHARE}/providerShareSubscriptions`));
      const consumer = `${SHARE}/providerShareSubscriptions/${value[0].name}`;
      const revoked = await give('POST', `${consumer}/revoke`);
      expect(revoked).toMatchObject({ status: 202, body: { properties: { shareSubscriptionStatus: 'Revoking' } } });
      expect(revoked.headers.get('location')).toBe(revoked.headers.get('azure-asyncoperation'));
      await eventually(async () => {
        const operation = await good(give('GET', revoked.headers.get('location') ?? ''));
        expect(operation).toMatchObject({ status: 'Succeeded', error: null });
      });
      const before = (await runs(take, TAKEN)).length;
      await bench.jar.clock.advance('5h');
      expect(await runs(take, TAKEN)).toHaveLength(before);
      expect((await good(take('GET', TAKEN))).properties.shareSubscriptionStatus).toBe('Revoked');
      expect((await good(take('GET', `${TAKEN}/consumerSourceDataSets`))).value).toEqual([]);
      await good(give('POST', `${consumer}/reinstate`), 200);
      await bench.jar.clock.advance('5h');
      expect(await runs(take, TAKEN)).toHaveLength(before + 5);
    });

    it('keeps both sides apart', async () => {
      expect(await take('GET', SHARE)).toMatchObject({ status: 401 });
      expect(await give('GET', TAKEN)).toMatchObject({ status: 401 });
      const theft = { kind: 'Container', properties: { ...SOURCE, containerName: 'data' } };
      await good(take('PUT', `${CONSUMER}/shares/stolen`, {}), 201);
      for (const subscriptionId of [SUBSCRIPTION, OTHER_SUBSCRIPTION]) {
        const body = { ...theft, properties: { ...theft.properties, subscriptionId } };
        const refused = await take('PUT', `${CONSUMER}/shares/stolen/dataSets/all`, body);
        expect(refused).toMatchObject({ status: 400, body: { error: { code: 'InvalidStorageAccount' } } });
      }
    });

    it('leaves the consumer with what was copied when the share is deleted', async () => {
      const deleted = await give('DELETE', SHARE);
      expect(deleted.status).toBe(202);
      await good(give('GET', deleted.headers.get('location') ?? ''), 200);
      expect((await good(take('GET', TAKEN))).properties.shareSubscriptionStatus).toBe('SourceDeleted');
      const trigger = await good(take('GET', `${TAKEN}/triggers/hourly`));
      expect(trigger.properties.triggerStatus).toBe('SourceSynchronizationSettingDeleted');
      expect(Object.keys(await folder.files('target', 'lake'))).toHaveLength(2);
      expect((await runs(take, TAKEN)).length).toBeGreaterThan(70);
    });

    it('forgets everything with the account', async () => {
      const deleted = await take('DELETE', CONSUMER);
      expect(deleted.status).toBe(202);
      // On a busy machine, one delayed poll may end before the deletion does.
      await eventually(() => good(take('GET', deleted.headers.get('location') ?? ''), 200));
      expect((await take('GET', TAKEN)).status).toBe(404);
      await good(take('PUT', CONSUMER, ACCOUNT_BODY), 201);
      expect((await good(take('GET', `${CONSUMER}/shareSubscriptions`))).value).toEqual([]);
      await bench.jar.settled();
    });
  },
  { clockStart: START, settings: { datashare: { storageRoot: folder.root } } },
);
