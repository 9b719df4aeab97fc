import { fileURLToPath } from 'node:url';
import { BlobServiceClient } from '@azure/storage-blob';
import { QueueServiceClient } from '@azure/storage-queue';
import hyco from 'hyco-https';
import { expect, it } from 'vitest';
import type { startJar as StartJar } from '../../../../src/testing/index.ts';
import { rabbitUrl } from '../../../support/rabbitmq.ts';
import { trust } from '../../../support/trust.ts';
import { stopAzuriteAfterwards, useAzurite } from '../../../support/use-azurite.ts';
import { useRabbit } from '../../../support/use-rabbitmq.ts';
import { BrokerReader, contentOf } from './receiver.ts';
import { ACCOUNT, BUS, GROUP, RELAY } from './support.ts';

/** Users run the bundle in dist/: this checks that it contains the libraries for destinations and that they work there. */

stopAzuriteAfterwards();

const dist = fileURLToPath(new URL('../../../../dist/testing.js', import.meta.url));
const VERSION = 'api-version=2025-02-15';

it('the bundled jar sends an event to storage, to a broker and to a hybrid connection, and a dead letter to a blob', async (context) => {
  const azurite = await useAzurite(context);
  const rabbit = await useRabbit(context);
  const { startJar } = (await import(dist)) as { startJar: typeof StartJar };
  const connections = { [ACCOUNT]: azurite.connectionString(), [BUS]: rabbitUrl(rabbit) };
  await using jar = await startJar({ settings: { events: { connections } } });
  trust(jar);
  const call = async (method: string, path: string, body?: unknown, key?: string) => {
    const response = await fetch(path.startsWith('http') ? path : jar.httpsUrl + path, {
      method,
      headers: {
        ...(key === undefined ? { authorization: `Bearer ${await jar.token()}` } : { 'aeg-sas-key': key }),
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, expect.toSatisfy((status: number) => status < 300), text]);
    return text === '' ? undefined : JSON.parse(text);
  };

  const queue = QueueServiceClient.fromConnectionString(azurite.connectionString()).getQueueClient('bundled');
  await queue.create();
  const container = BlobServiceClient.fromConnectionString(azurite.connectionString()).getContainerClient('bundled');
  await container.create();
  const { key, keyName, url } = (await (
    await fetch(`${jar.httpsUrl}/_jar/events/relay`, { headers: { authorization: `Bearer ${jar.adminKey}` } })
  ).json()) as { key: string; keyName: string; url: string };
  const address = url.replace('{namespace}', 'shoprelay').replace('{connection}', 'tasks');
  const relayed: string[] = [];
  const listener = hyco.createRelayedServer(
    { server: `${address}?sb-hc-action=listen`, token: hyco.createRelayToken(address, keyName, key) },
    (request, response) => {
      request.on('data', (chunk) => relayed.push(String(chunk)));
      request.on('end', () => response.end());
    },
  );
  listener.listen();
  await new Promise<void>((resolve) => listener.on('listening', () => resolve()));

  await call('PUT', `${GROUP}?api-version=2022-09-01`, { location: 'westus' });
  const topic = `${GROUP}/providers/Vendor.EventGrid/topics/orders`;
  await call('PUT', `${topic}?${VERSION}`, { location: 'westus' });
  await jar.settled();
  const deadLetterDestination = {
    endpointType: 'StorageBlob',
    properties: { resourceId: ACCOUNT, blobContainerName: 'bundled' },
  };
  const destinations = {
    storage: { endpointType: 'StorageQueue', properties: { resourceId: ACCOUNT, queueName: 'bundled' } },
    broker: { endpointType: 'ServiceBusQueue', properties: { resourceId: `${BUS}/queues/bundled` } },
    relay: { endpointType: 'HybridConnection', properties: { resourceId: `${RELAY}/hybridConnections/tasks` } },
    nowhere: { endpointType: 'HybridConnection', properties: { resourceId: `${RELAY}/hybridConnections/nobody` } },
  };
  for (const [name, destination] of Object.entries(destinations)) {
    const properties = { destination, deadLetterDestination, retryPolicy: { maxDeliveryAttempts: 1 } };
    await call('PUT', `${topic}/providers/Vendor.EventGrid/eventSubscriptions/${name}?${VERSION}`, { properties });
  }
  await jar.settled();
  const { endpoint } = (await call('GET', `${topic}?${VERSION}`)).properties;
  const { key1 } = await call('POST', `${topic}/listKeys?${VERSION}`);
  const event = {
    id: 'e1',
    subject: 'orders/1',
    eventType: 'Placed',
    eventTime: jar.clock.now().toISOString(),
    data: 17,
    dataVersion: '1',
  };
  await call('POST', `${endpoint}?api-version=2018-01-01`, [event], key1);
  await jar.settled();

  const [stored] = (await queue.receiveMessages()).receivedMessageItems;
  expect(JSON.parse(Buffer.from(stored?.messageText ?? '', 'base64').toString('utf8'))).toMatchObject({
    id: 'e1',
    data: 17,
  });
  const reader = await BrokerReader.open(rabbit, 'bundled');
  expect(contentOf(await reader.next())).toMatchObject({ id: 'e1', data: 17 });
  reader.close();
  expect(relayed.map((text) => JSON.parse(text))).toMatchObject([{ id: 'e1', data: 17 }]);
  await jar.clock.advance('10m');
  const blobs: unknown[] = [];
  for await (const { name } of container.listBlobsFlat()) {
    blobs.push(JSON.parse((await container.getBlobClient(name).downloadToBuffer()).toString('utf8')));
  }
  expect(blobs).toMatchObject([
    [{ id: 'e1', lastDeliveryOutcome: 'NotFound', deadLetterReason: 'MaxDeliveryAttemptsExceeded' }],
  ]);
  listener.close(() => {});
});
