import { BlobServiceClient } from '@azure/storage-blob';
import { QueueServiceClient } from '@azure/storage-queue';
import { afterEach, expect, it } from 'vitest';
import { sendToResource, writeDeadLetter } from '../../../../src/services/events/destinations/send.ts';
import { stopAzuriteAfterwards, useAzurite } from '../../../support/use-azurite.ts';
import { ACCOUNT, deadLetter, EVENT, jarWith, messageTo, type OpenedJar, patiently } from './support.ts';

/** A real Azurite serves as storage account. */

stopAzuriteAfterwards();

const open: OpenedJar[] = [];
afterEach(async () => {
  for (const { running } of open.splice(0)) await running.close();
});

async function withAccount(connection: string): Promise<OpenedJar> {
  const opened = await jarWith({ [ACCOUNT]: connection });
  open.push(opened);
  return opened;
}

const toQueue = (queueName: string, more = {}) =>
  messageTo('StorageQueue', { resourceId: ACCOUNT, queueName, ...more });

it('an event becomes a message of the storage queue, its JSON in base64', async (context) => {
  const azurite = await useAzurite(context);
  const { jar } = await withAccount(azurite.connectionString());
  const queue = QueueServiceClient.fromConnectionString(azurite.connectionString()).getQueueClient('orders');
  await queue.create();
  const reply = await sendToResource(toQueue('orders'), jar, patiently());
  expect(reply).toMatchObject({ outcome: 'Succeeded', status: 201 });
  const { receivedMessageItems } = await queue.receiveMessages();
  expect(receivedMessageItems).toHaveLength(1);
  const [message] = receivedMessageItems;
  expect(JSON.parse(Buffer.from(message?.messageText ?? '', 'base64').toString('utf8'))).toEqual(EVENT);
});

it('a message lives as long as the subscription says, and forever with -1', async (context) => {
  const azurite = await useAzurite(context);
  const { jar } = await withAccount(azurite.connectionString());
  const queue = QueueServiceClient.fromConnectionString(azurite.connectionString()).getQueueClient('lifetimes');
  await queue.create();
  const lifetimes: number[] = [];
  for (const queueMessageTimeToLiveInSeconds of [60, -1]) {
    await sendToResource(toQueue('lifetimes', { queueMessageTimeToLiveInSeconds }), jar, patiently());
    const [message] = (await queue.receiveMessages()).receivedMessageItems;
    lifetimes.push(((message?.expiresOn.getTime() ?? 0) - (message?.insertedOn.getTime() ?? 0)) / 1000);
  }
  expect(lifetimes[0]).toBe(60);
  expect(lifetimes[1]).toBeGreaterThan(100 * 365 * 24 * 3600);
});

it('a queue that does not exist is NotFound, with the reason of the storage service', async (context) => {
  const azurite = await useAzurite(context);
  const { jar } = await withAccount(azurite.connectionString());
  const reply = await sendToResource(toQueue('nowhere'), jar, patiently());
  expect(reply).toMatchObject({ outcome: 'NotFound', status: 404 });
  expect(reply.error).toMatch(/^QueueNotFound: /);
});

it('a key that is not the right one is Forbidden', async (context) => {
  const azurite = await useAzurite(context);
  const { jar } = await withAccount(azurite.connectionString(Buffer.alloc(64, 7).toString('base64')));
  const reply = await sendToResource(toQueue('orders'), jar, patiently());
  expect(reply).toMatchObject({ outcome: 'Forbidden', status: 403 });
  expect(reply.error).not.toContain('AccountKey');
});

it('an event that is too large for a queue is PayloadTooLarge', async (context) => {
  const azurite = await useAzurite(context);
  const { jar } = await withAccount(azurite.connectionString());
  await QueueServiceClient.fromConnectionString(azurite.connectionString()).getQueueClient('small').createIfNotExists();
  const body = JSON.stringify({ ...EVENT, data: 'x'.repeat(70_000) });
  const reply = await sendToResource({ ...toQueue('small'), body }, jar, patiently());
  expect(reply.outcome).toBe('PayloadTooLarge');
});

it('an unreachable server is a SocketError, an unknown host name a ResolutionError, and the client retries neither', async () => {
  const key = Buffer.alloc(64, 7).toString('base64');
  const at = (host: string): string =>
    `AccountName=a;AccountKey=${key};QueueEndpoint=http://${host}/a;BlobEndpoint=http://${host}/a`;
  const nobody = await withAccount(at('127.0.0.1:1'));
  expect(await sendToResource(toQueue('orders'), nobody.jar, patiently())).toMatchObject({ outcome: 'SocketError' });
  const unknown = await withAccount(at('no-such-host.invalid'));
  expect(await sendToResource(toQueue('orders'), unknown.jar, patiently())).toMatchObject({
    outcome: 'ResolutionError',
  });
});

it('an aborted send resolves at once', async () => {
  const { createServer } = await import('node:net');
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const key = Buffer.alloc(64, 7).toString('base64');
  const { jar } = await withAccount(`AccountName=a;AccountKey=${key};QueueEndpoint=http://127.0.0.1:${port}/a`);
  const controller = new AbortController();
  const reply = sendToResource(toQueue('orders'), jar, controller.signal);
  await new Promise<void>((resolve) => silent.once('connection', () => resolve()));
  controller.abort();
  expect(await reply).toMatchObject({ outcome: 'Aborted' });
  silent.close();
});

it('a dead letter becomes a blob of JSON, the same one when it is written twice', async (context) => {
  const azurite = await useAzurite(context);
  const { jar } = await withAccount(azurite.connectionString());
  const container = BlobServiceClient.fromConnectionString(azurite.connectionString()).getContainerClient('letters');
  await container.create();
  const letter = deadLetter();
  for (let i = 0; i < 2; i++) {
    expect(await writeDeadLetter(letter, jar, patiently())).toMatchObject({ outcome: 'Succeeded', status: 201 });
  }
  const names: string[] = [];
  for await (const { name } of container.listBlobsFlat()) names.push(name);
  expect(names).toEqual([letter.blob]);
  const blob = container.getBlobClient(letter.blob);
  expect((await blob.getProperties()).contentType).toBe('application/json');
  expect((await blob.downloadToBuffer()).toString('utf8')).toBe(letter.body);
});

it('a container that does not exist is NotFound', async (context) => {
  const azurite = await useAzurite(context);
  const { jar } = await withAccount(azurite.connectionString());
  const reply = await writeDeadLetter(deadLetter({ container: 'nowhere' }), jar, patiently());
  expect(reply).toMatchObject({ outcome: 'NotFound', status: 404 });
  expect(reply.error).toMatch(/^ContainerNotFound: /);
});
