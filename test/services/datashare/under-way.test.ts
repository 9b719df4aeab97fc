import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { stopAzuriteAfterwards } from '../../support/use-azurite.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { FILES, heldRun } from './held-run.ts';
import { leftovers } from './leftovers.ts';
import {
  CONSUMER,
  CONSUMER_GROUP,
  detailsOf,
  ended,
  good,
  PROVIDER,
  SHARE,
  StorageFolder,
  TAKEN,
  TARGET,
} from './support.ts';

stopAzuriteAfterwards();
const folder = await StorageFolder.make();
afterAll(() => folder.remove());

const copies = async (): Promise<number> => Object.keys(await folder.files('target', 'copies')).length;

describe.each(['sqlite', 'postgres'])('%s: what happens while a synchronization is under way', (engine) => {
  const probe = new JarProbe();
  const start = async (context: TestContext) => {
    const database = engine === 'postgres' && { databaseUrl: await usePostgresDatabase(context, 'held') };
    return heldRun(context, folder, { ...database, services: [...SERVICES, probe.service] });
  };

  it('leaves nothing behind when both sides are deleted', async (context) => {
    const { give, take, goOn, jar } = await start(context);
    await good(give('DELETE', SHARE), 202);
    await good(take('DELETE', TAKEN), 202);
    await good(give('DELETE', PROVIDER), 202);
    await good(take('DELETE', CONSUMER), 202);
    await expect.poll(() => leftovers(probe)).toEqual({ 'work datashare.run': 1 });
    goOn();
    await jar.settled();
    expect(await leftovers(probe)).toEqual({});
    expect(await copies()).toBeLessThan(FILES);
  });

  it('leaves nothing behind of a mapping that is deleted, and copies no more for it', async (context) => {
    const { take, goOn, jar, id } = await start(context);
    await good(take('DELETE', `${TAKEN}/dataSetMappings/all`), 200);
    await expect.poll(async () => (await leftovers(probe))['work datashare.purge']).toBeUndefined();
    goOn();
    expect(await ended(take, id)).toMatchObject({ status: 'Failed', message: expect.stringContaining('mapping') });
    await jar.settled();
    const left = await leftovers(probe);
    expect(left).not.toHaveProperty('datashare.copied');
    expect(left).not.toHaveProperty('datashare.progress');
    expect(await copies()).toBeLessThan(FILES);
  });

  it('copies no more to a place that a mapping is moved from', async (context) => {
    const { take, goOn, jar, id, shared } = await start(context);
    const moved = {
      kind: 'Container',
      properties: { ...TARGET, dataSetId: shared.dataSetId, containerName: 'elsewhere' },
    };
    await good(take('PUT', `${TAKEN}/dataSetMappings/all`, moved), 200);
    goOn();
    expect(await ended(take, id)).toMatchObject({ status: 'Failed', message: expect.stringContaining('mapping') });
    await jar.settled();
    expect(await leftovers(probe)).not.toHaveProperty('datashare.copied');
    expect(await copies()).toBeLessThan(FILES);
  });

  it('is recorded for the provider, too, when it ends with the share subscription', async (context) => {
    const { take, goOn, jar } = await start(context);
    const { store } = probe.jar;
    const cursor = await store.newestCursor();
    await good(take('DELETE', TAKEN), 202);
    goOn();
    await jar.settled();
    const changes = await store.changesAfter(cursor, 100);
    expect(changes.map(({ subject, outcome }) => [subject, outcome])).toContainEqual([
      `${SHARE}/synchronize`,
      'Canceled',
    ]);
  });

  it('copies no more of a data set that the provider takes out of the share', async (context) => {
    const { give, take, goOn, id } = await start(context);
    await good(give('DELETE', `${SHARE}/dataSets/all`), 200);
    goOn();
    expect(await ended(take, id)).toMatchObject({ status: 'Failed', message: expect.stringContaining('removed') });
    expect(await detailsOf(take, TAKEN, id)).toMatchObject([{ name: 'all', status: 'Failed' }]);
    expect(await copies()).toBeLessThan(FILES);
  });

  it.for([
    ['the share', SHARE, 'SourceDeleted'],
    ['the share subscription', TAKEN, undefined],
    ['the account of the provider', PROVIDER, 'SourceDeleted'],
    ['the account of the consumer', CONSUMER, undefined],
    ['the group of the consumer', CONSUMER_GROUP, undefined],
  ] as const)('ends a revocation when %s is deleted', async ([_, path, status], context) => {
    const { give, take, goOn, jar } = await start(context);
    const [consumer] = (await good(give('GET', `${SHARE}/providerShareSubscriptions`))).value;
    const revoked = await give('POST', `${SHARE}/providerShareSubscriptions/${consumer.name}/revoke`);
    const address = revoked.headers.get('location') ?? '';
    const owner = path.startsWith(CONSUMER_GROUP) ? take : give;
    const version = path === CONSUMER_GROUP ? '?api-version=2021-04-01' : '';
    await good(owner('DELETE', path + version), 202);
    goOn();
    await jar.settled();
    expect(await give('GET', address)).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    expect((await take('GET', TAKEN)).body.properties?.shareSubscriptionStatus).toBe(status);
  });

  it('survives a reset, a snapshot and its return', async (context) => {
    const { take, goOn, jar, id } = await start(context);
    const kept = jar.snapshot('midst');
    goOn();
    await kept;
    expect(await ended(take, id)).toMatchObject({ status: 'Succeeded' });
    await jar.restore('midst');
    expect(await ended(take, id)).toMatchObject({ status: 'Succeeded' });
    expect(await detailsOf(take, TAKEN, id)).toMatchObject([{ filesRead: FILES, filesWritten: FILES }]);
    await jar.reset();
    expect(await leftovers(probe)).toEqual({});
  });
});

it('a synchronization goes on after its jar was stopped and started, whatever blob storage was asked meanwhile', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'stopped');
  const { goOn, jar, id, again } = await heldRun(context, folder, { databaseUrl, secretKey: 'k'.repeat(43) });
  await jar.close();
  goOn();
  const { take } = await again();
  expect(await ended(take, id)).toMatchObject({ status: 'Succeeded' });
  expect(await copies()).toBe(FILES);
});
