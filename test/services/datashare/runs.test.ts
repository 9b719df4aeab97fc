import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../support/jars.ts';
import { stopAzuriteAfterwards } from '../../support/use-azurite.ts';
import { heldRun } from './held-run.ts';
import {
  type Ask,
  detailsOf,
  ended,
  giver,
  good,
  makeAccounts,
  SHARE,
  SOURCE,
  StorageFolder,
  shareContainer,
  synchronize,
  TAKEN,
  TARGET,
  taker,
} from './support.ts';

stopAzuriteAfterwards();
const folder = await StorageFolder.make();
afterAll(() => folder.remove());

const PAIRS = [
  [
    'Blob',
    { containerName: 'data', filePath: 'x/one.txt' },
    'Blob',
    { containerName: 'out', filePath: 'renamed.txt' },
    { 'renamed.txt': '1' },
  ],
  [
    'Blob',
    { containerName: 'data', filePath: 'x/one.txt' },
    'BlobFolder',
    { containerName: 'out', prefix: 'in/here/' },
    { 'in/here/one.txt': '1' },
  ],
  [
    'Container',
    { containerName: 'data' },
    'BlobFolder',
    { containerName: 'out', prefix: 'all' },
    { 'all/x/one.txt': '1', 'all/two.txt': '2' },
  ],
  [
    'Container',
    { containerName: 'data' },
    'AdlsGen2FileSystem',
    { fileSystem: 'out' },
    { 'x/one.txt': '1', 'two.txt': '2' },
  ],
  ['BlobFolder', { containerName: 'data', prefix: 'x' }, 'Container', { containerName: 'out' }, { 'one.txt': '1' }],
  [
    'AdlsGen2FileSystem',
    { fileSystem: 'data' },
    'AdlsGen2Folder',
    { fileSystem: 'out', folderPath: 'f' },
    { 'f/x/one.txt': '1', 'f/two.txt': '2' },
  ],
  [
    'AdlsGen2Folder',
    { fileSystem: 'data', folderPath: '/x/' },
    'AdlsGen2Folder',
    { fileSystem: 'out', folderPath: 'f/g' },
    { 'f/g/one.txt': '1' },
  ],
  [
    'AdlsGen2File',
    { fileSystem: 'data', filePath: 'x/one.txt' },
    'AdlsGen2File',
    { fileSystem: 'out', filePath: 'a/b/c' },
    { 'a/b/c': '1' },
  ],
] as const;

const SERVER = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/g/providers/Vendor.Sql/servers/s';
const TABLE = { databaseName: 'd', schemaName: 's', sqlServerResourceId: SERVER, tableName: 't' };

onAnyStore(
  'synchronizations',
  (bench) => {
    let give: Ask;
    let take: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      for (const account of ['source', 'target']) await folder.delete(account, '.');
      [give, take] = [await giver(bench), await taker(bench)];
      await makeAccounts(give, take);
      await folder.write('source', 'data/x/one.txt', '1');
      await folder.write('source', 'data/two.txt', '2');
    });

    const share = async (kind: string, properties: object): Promise<string> => {
      await good(give('PUT', SHARE, {}));
      const set = await good(give('PUT', `${SHARE}/dataSets/one`, { kind, properties: { ...SOURCE, ...properties } }));
      const invitation = { properties: { targetEmail: 'other@other.example' } };
      const sent = await good(give('PUT', `${SHARE}/invitations/otto`, invitation));
      const { invitationId } = sent.properties;
      await good(take('PUT', TAKEN, { properties: { invitationId, sourceShareLocation: 'eastus' } }));
      return set.properties.dataSetId;
    };
    const map = (dataSetId: string, kind: string, properties: object, name = 'one') =>
      take('PUT', `${TAKEN}/dataSetMappings/${name}`, { kind, properties: { ...TARGET, ...properties, dataSetId } });

    it.each([...PAIRS])('copy a %s %o to a %s %o', async (kind, properties, target, place, expected) => {
      await good(map(await share(kind, properties), target, place), 201);
      expect(await synchronize(take)).toMatchObject({ status: 'Succeeded' });
      expect(await folder.files('target', 'out')).toEqual(expected);
    });

    it('say of tables that they are not copied, and copy the rest', async () => {
      const dataSetId = await share('Container', { containerName: 'data' });
      const table = await good(give('PUT', `${SHARE}/dataSets/table`, { kind: 'SqlDBTable', properties: TABLE }), 201);
      await good(map(dataSetId, 'Container', { containerName: 'out' }), 201);
      await good(map(table.properties.dataSetId, 'SqlDBTable', TABLE, 'table'), 201);
      const run = await synchronize(take);
      expect(run).toMatchObject({ status: 'Failed', message: expect.stringContaining("'table'") });
      const details = await detailsOf(take, TAKEN, run.synchronizationId);
      expect(details).toMatchObject([
        { name: 'one', status: 'Succeeded', filesWritten: 2 },
        { name: 'table', status: 'Failed', message: expect.stringContaining("'SqlDBTable'"), filesWritten: 0 },
      ]);
      expect(await folder.files('target', 'out')).toEqual({ 'x/one.txt': '1', 'two.txt': '2' });
      const operation = await good(take('GET', `${TAKEN}/synchronizationOperationResults/${run.synchronizationId}`));
      expect(operation).toMatchObject({ status: 'Failed', startTime: null, error: { code: 'SynchronizationFailed' } });
    });

    it('fail with the reason if the container is missing', async () => {
      await shareContainer(give, take, 'nowhere');
      const run = await synchronize(take);
      expect(run).toMatchObject({ status: 'Failed', message: expect.stringContaining("no container 'nowhere'") });
    });

    it('find nothing to do for a data set that the provider took out of the share', async () => {
      await shareContainer(give, take);
      await good(give('DELETE', `${SHARE}/dataSets/all`), 200);
      const mapping = await good(take('GET', `${TAKEN}/dataSetMappings/all`));
      expect(mapping.properties.dataSetMappingStatus).toBe('Broken');
      const refused = await take('POST', `${TAKEN}/synchronize`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'NothingMapped' } } });
    });

    it('copy everything anew to a place that a mapping is moved to', async () => {
      const { dataSetId } = await shareContainer(give, take);
      await synchronize(take);
      await good(map(dataSetId, 'Container', { containerName: 'elsewhere' }, 'all'), 200);
      await synchronize(take, 'Incremental');
      expect(await folder.files('target', 'elsewhere')).toEqual({ 'x/one.txt': '1', 'two.txt': '2' });
    });

    it('refuse to copy a data set into itself', async () => {
      const dataSetId = await share('BlobFolder', { containerName: 'data', prefix: 'x' });
      const own = { kind: 'BlobFolder', properties: { ...SOURCE, dataSetId, containerName: 'data', prefix: 'x/y' } };
      const sent = await good(
        give('PUT', `${SHARE}/invitations/self`, { properties: { targetEmail: 'admin@vendor.example' } }),
      );
      const self = `${SHARE.slice(0, SHARE.indexOf('/shares/'))}/shareSubscriptions/self`;
      const { invitationId } = sent.properties;
      await good(give('PUT', self, { properties: { invitationId, sourceShareLocation: 'eastus' } }), 201);
      const refused = await give('PUT', `${self}/dataSetMappings/m`, own);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'InvalidProperty' } } });
      own.properties.prefix = 'y';
      await good(give('PUT', `${self}/dataSetMappings/m`, own), 201);
    });

    it('stop following a schedule that the provider changes, until the consumer follows the new one', async () => {
      await shareContainer(give, take);
      const schedule = (hour: number) => ({
        kind: 'ScheduleBased',
        properties: { recurrenceInterval: 'Day', synchronizationTime: `2026-03-01T0${hour}:00:00+01:00` },
      });
      await good(give('PUT', `${SHARE}/synchronizationSettings/daily`, schedule(6)), 201);
      await good(take('PUT', `${TAKEN}/triggers/daily`, schedule(6)), 201);
      await bench.jar.settled();
      const status = async () => (await good(take('GET', `${TAKEN}/triggers/daily`))).properties;
      expect(await status()).toMatchObject({
        triggerStatus: 'Active',
        synchronizationTime: '2026-03-01T05:00:00.000Z',
      });
      const count = async () => (await good(take('POST', `${TAKEN}/listSynchronizations`))).value.length;
      await bench.jar.clock.advance('3d');
      expect(await count()).toBe(3);
      await good(give('PUT', `${SHARE}/synchronizationSettings/daily`, schedule(8)), 200);
      expect(await status()).toMatchObject({ triggerStatus: 'Inactive' });
      await bench.jar.clock.advance('3d');
      expect(await count()).toBe(3);
      await good(take('PUT', `${TAKEN}/triggers/daily`, schedule(8)), 200);
      await bench.jar.clock.advance('3d');
      expect(await count()).toBe(6);
      const deleted = await give('DELETE', `${SHARE}/synchronizationSettings/daily`);
      expect(deleted.status).toBe(202);
      expect(await status()).toMatchObject({ triggerStatus: 'SourceSynchronizationSettingDeleted' });
      await good(take('DELETE', `${TAKEN}/triggers/daily`), 202);
      await bench.jar.clock.advance('3d');
      expect(await count()).toBe(6);
    });

    it('begin again from nothing in an account that is made anew under its name', async () => {
      await shareContainer(give, take);
      await synchronize(take);
      await good(take('DELETE', TAKEN), 202);
      await bench.jar.settled();
      const sent = await good(
        give('PUT', `${SHARE}/invitations/again`, { properties: { targetEmail: 'other@other.example' } }),
      );
      const { invitationId } = sent.properties;
      await good(take('PUT', TAKEN, { properties: { invitationId, sourceShareLocation: 'eastus' } }), 201);
      expect((await good(take('POST', `${TAKEN}/listSynchronizations`))).value).toEqual([]);
      expect((await good(take('GET', `${TAKEN}/dataSetMappings`))).value).toEqual([]);
      expect((await good(give('POST', `${SHARE}/listSynchronizations`))).value).toHaveLength(1);
    });
  },
  { clockStart: '2026-03-01T00:00:00Z', settings: { datashare: { storageRoot: folder.root } } },
);

describe('a synchronization that is under way', () => {
  it('is the only one of its share subscription', async (context) => {
    const { goOn, take, id, headers } = await heldRun(context, folder);
    expect(headers.get('azure-asyncoperation')).toContain(`${TAKEN}/synchronizationOperationResults/${id}`);
    expect(headers.get('location')).toContain(`${TAKEN}/shareSubscriptionSynchronizations/${id}`);
    const second = await take('POST', `${TAKEN}/synchronize`);
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'SynchronizationInProgress' } } });
    const [run] = (await good(take('POST', `${TAKEN}/listSynchronizations`))).value;
    expect(run).toMatchObject({ status: 'InProgress', startTime: expect.any(String) });
    expect(run).not.toHaveProperty('endTime');
    goOn();
    expect(await ended(take, id)).toMatchObject({ status: 'Succeeded' });
    expect(Object.keys(await folder.files('target', 'copies'))).toHaveLength(40);
  });

  it('can be cancelled', async (context) => {
    const { goOn, take, id } = await heldRun(context, folder);
    const cancelled = await take('POST', `${TAKEN}/cancelSynchronization`, { synchronizationId: id });
    expect(cancelled).toMatchObject({ status: 202, body: { status: 'InProgress' } });
    goOn();
    expect(await ended(take, id)).toMatchObject({ status: 'Cancelled' });
    const again = await take('POST', `${TAKEN}/cancelSynchronization`, { synchronizationId: id });
    expect(again).toMatchObject({ status: 200, body: { status: 'Cancelled' } });
    expect(Object.keys(await folder.files('target', 'copies')).length).toBeLessThan(40);
  });

  it('copies nothing more when it is revoked, and the revocation waits for its end', async (context) => {
    const { goOn, give, take, id } = await heldRun(context, folder);
    const { value } = await good(give('GET', `${SHARE}/providerShareSubscriptions`));
    const revoked = await give('POST', `${SHARE}/providerShareSubscriptions/${value[0].name}/revoke`);
    const address = revoked.headers.get('location') ?? '';
    expect((await give('GET', address)).status).toBe(202);
    goOn();
    expect(await ended(take, id)).toMatchObject({ status: 'Failed', message: expect.stringContaining('revoked') });
    await expect.poll(async () => (await give('GET', address)).status).toBe(200);
    expect(Object.keys(await folder.files('target', 'copies')).length).toBeLessThan(40);
  });

  it('ends with its share', async (context) => {
    const { goOn, give, take, id, jar } = await heldRun(context, folder);
    await good(give('DELETE', SHARE), 202);
    await expect
      .poll(async () => (await good(take('GET', TAKEN))).properties.shareSubscriptionStatus)
      .toBe('SourceDeleted');
    goOn();
    expect(await ended(take, id)).toMatchObject({ status: 'Failed', message: expect.stringContaining('deleted') });
    await jar.settled();
  });

  it('ends with its share subscription, and the provider sees that it did', async (context) => {
    const { goOn, give, take, jar } = await heldRun(context, folder);
    await good(take('DELETE', TAKEN), 202);
    goOn();
    const seen = async () => (await good(give('POST', `${SHARE}/listSynchronizations`))).value[0].status;
    await expect.poll(seen).toBe('Cancelled');
    await jar.settled();
  });
});
