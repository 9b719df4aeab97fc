import { randomBytes } from 'node:crypto';
import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, expect, it } from 'vitest';
import type { TestJar } from '../../../src/testing/index.ts';
import { startJar } from '../../../src/testing/index.ts';
import { QuickClient } from '../../support/quick-client.ts';
import { stopAzuriteAfterwards, useAzurite } from '../../support/use-azurite.ts';
import { detailsOf, giver, good, makeAccounts, SHARE, SOURCE, synchronize, TAKEN, TARGET, taker } from './support.ts';

stopAzuriteAfterwards();
const opened: TestJar[] = [];
afterAll(() => Promise.all(opened.map((jar) => jar.close())));

/** The parts of a bench that the test helpers need. */
function benchOf(jar: TestJar) {
  const client = new QuickClient();
  const call = (method: string, path: string, { body, token }: { body?: unknown; token?: string | null } = {}) =>
    client.ask(
      path.startsWith('http') ? path : jar.url + path,
      {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      },
      jar.ca,
    );
  return { jar, call };
}

it('blobs are copied between storage accounts, the kinds of a data lake included', async (context) => {
  const azurite = await useAzurite(context);
  const connection = azurite.connectionString();
  const jar = await startJar({
    settings: { datashare: { storageAccounts: { source: connection, target: connection } } },
  });
  opened.push(jar);
  const bench = benchOf(jar);
  const [give, take] = [await giver(bench), await taker(bench)];
  const blobs = BlobServiceClient.fromConnectionString(connection);
  const source = blobs.getContainerClient('given');
  await source.create();
  const large = randomBytes(9 * 1024 * 1024 + 17);
  await source.getBlockBlobClient('reports/ä ö/1+1=2 & more.csv').uploadData(Buffer.from('small'));
  await source.getBlockBlobClient('reports/large.bin').uploadData(large);
  await source.getBlockBlobClient('secret.txt').uploadData(Buffer.from('not shared'));

  await makeAccounts(give, take);
  await good(give('PUT', SHARE, {}));
  const dataSet = { kind: 'AdlsGen2Folder', properties: { ...SOURCE, fileSystem: 'given', folderPath: 'reports' } };
  const { properties } = await good(give('PUT', `${SHARE}/dataSets/reports`, dataSet));
  const sent = await good(
    give('PUT', `${SHARE}/invitations/otto`, { properties: { targetEmail: 'other@other.example' } }),
  );
  const { invitationId } = sent.properties;
  await good(take('PUT', TAKEN, { properties: { invitationId, sourceShareLocation: 'eastus' } }));
  const place = { dataSetId: properties.dataSetId, containerName: 'taken', prefix: 'from/giver' };
  await good(take('PUT', `${TAKEN}/dataSetMappings/m`, { kind: 'BlobFolder', properties: { ...TARGET, ...place } }));

  const first = await synchronize(take);
  expect(first).toMatchObject({ status: 'Succeeded' });
  const target = blobs.getContainerClient('taken');
  const names: string[] = [];
  for await (const { name } of target.listBlobsFlat()) names.push(name);
  expect(names.sort()).toEqual(['from/giver/large.bin', 'from/giver/ä ö/1+1=2 & more.csv']);
  const copy = await target.getBlockBlobClient('from/giver/large.bin').downloadToBuffer();
  expect(copy.equals(large)).toBe(true);

  await source.getBlockBlobClient('reports/ä ö/1+1=2 & more.csv').uploadData(Buffer.from('changed'));
  const second = await synchronize(take);
  const [detail] = await detailsOf(take, TAKEN, second.synchronizationId);
  expect(detail).toMatchObject({ filesRead: 1, filesWritten: 1, sizeWritten: 7 });

  await source.getBlockBlobClient('reports/large.bin').delete();
  await synchronize(take, 'FullSync');
  expect(await target.getBlockBlobClient('from/giver/large.bin').exists()).toBe(false);
});
