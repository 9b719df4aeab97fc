import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { ResourceManagementClient } from '@azure/arm-resources';
import {
  AzureKeyCredential,
  AzureSASCredential,
  EventGridPublisherClient,
  generateSharedAccessSignature,
  type InputSchema,
} from '@azure/eventgrid';
import { CloudEvent, emitterFor, HTTP, httpTransport, Mode } from 'cloudevents';
import { expect, it, vi } from 'vitest';
import { onAnyStore, SUBSCRIPTION } from '../../../support/jars.ts';
import { taken } from './published.ts';

vi.mock('../../../../src/services/events/accept.ts', async (original) => {
  const { recording } = await import('./published.ts');
  return recording(original as never);
});

/** The official clients, unchanged: only endpoint, credential and authority are set. */
onAnyStore(
  'publishers of every kind',
  (bench) => {
    const credential = {
      getToken: async (scopes: string | string[]) => ({
        token: await bench.jar.token({ audience: String(scopes).replace('/.default', '') }),
        expiresOnTimestamp: Date.now() + 3_600_000,
      }),
    };
    const management = () =>
      new EventGridManagementClient(credential, SUBSCRIPTION, {
        endpoint: bench.jar.httpsUrl,
        apiVersion: '2025-02-15',
      } as object);

    interface Topic {
      readonly id: string;
      readonly endpoint: string;
      readonly key: string;
    }

    async function topicOf(name: string, parameters: object = {}): Promise<Topic> {
      const resources = new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
      await resources.resourceGroups.createOrUpdate('clients', { location: 'westus' });
      const settings = { location: 'westus', ...parameters };
      const polling = { updateIntervalInMs: 20 };
      const { id = '', endpoint = '' } = await management().topics.beginCreateOrUpdateAndWait(
        'clients',
        name,
        settings,
        polling,
      );
      const { key1 = '' } = await management().topics.listSharedAccessKeys('clients', name);
      return { id, endpoint, key: key1 };
    }

    /** One publisher for each kind of credential. */
    async function publishersOf<T extends InputSchema>({ endpoint, key }: Topic, schema: T) {
      const keyCredential = new AzureKeyCredential(key);
      const until = new Date(bench.jar.clock.now().getTime() + 60_000);
      const signature = await generateSharedAccessSignature(endpoint, keyCredential, until);
      return [keyCredential, new AzureSASCredential(signature), credential].map(
        (each) => new EventGridPublisherClient(endpoint, schema, each),
      );
    }

    it('publishes native events by key, signature and token', async () => {
      const topic = await topicOf('native');
      for (const publisher of await publishersOf(topic, 'EventGrid')) {
        await publisher.send([
          { eventType: 'Shop.Sold', subject: '/1', dataVersion: '1', data: { a: 1 } },
          {
            eventType: 'Shop.Sold',
            subject: '/2',
            dataVersion: '1',
            data: { b: 2 },
            id: 'two',
            eventTime: new Date(0),
            topic: topic.id,
          },
        ]);
        expect(taken().map(({ event }) => event)).toEqual([
          expect.objectContaining({ schema: 'EventGridSchema', type: 'Shop.Sold', subject: '/1', data: { a: 1 } }),
          expect.objectContaining({ id: 'two', time: '1970-01-01T00:00:00.000Z', data: { b: 2 }, dataVersion: '1' }),
        ]);
      }
    });

    it('publishes CloudEvents by key, signature and token', async () => {
      const topic = await topicOf('cloud', { inputSchema: 'CloudEventSchemaV1_0' });
      for (const publisher of await publishersOf(topic, 'CloudEvent')) {
        await publisher.send([
          { type: 'Shop.Sold', source: '/shop', data: { a: 1 }, extensionAttributes: { color: 'red' } },
          {
            type: 'Shop.Sold',
            source: '/shop',
            data: Buffer.from([1, 2]),
            datacontenttype: 'image/png',
            subject: '/2',
          },
        ]);
        expect(taken().map(({ event: { original } }) => original)).toEqual([
          expect.objectContaining({ specversion: '1.0', source: '/shop', data: { a: 1 }, color: 'red' }),
          expect.objectContaining({ subject: '/2', data_base64: 'AQI=', datacontenttype: 'image/png' }),
        ]);
      }
    });

    it('publishes events in a custom schema by key, signature and token', async () => {
      const topic = await topicOf('custom', {
        inputSchema: 'CustomEventSchema',
        inputSchemaMapping: {
          inputSchemaMappingType: 'Json',
          id: { sourceField: 'key' },
          eventType: { sourceField: 'kind' },
          subject: { defaultValue: '/all' },
          dataVersion: { defaultValue: '1' },
        },
      });
      for (const publisher of await publishersOf(topic, 'Custom')) {
        await publisher.send([{ key: 'k', kind: 'Shop.Sold', more: [1] }]);
        expect(taken().map(({ event }) => event)).toEqual([
          expect.objectContaining({
            id: 'k',
            type: 'Shop.Sold',
            subject: '/all',
            original: { key: 'k', kind: 'Shop.Sold', more: [1] },
          }),
        ]);
      }
    });

    it('shows the mistake to the official client', async () => {
      const topic = await topicOf('native');
      const [publisher] = await publishersOf(topic, 'CloudEvent');
      await expect(publisher?.send([{ type: 'x', source: '/x' }])).rejects.toMatchObject({
        statusCode: 400,
        code: 'BadRequest',
        message: expect.stringContaining("schema 'EventGridSchema'"),
      });
      const wrong = new EventGridPublisherClient(topic.endpoint, 'EventGrid', new AzureKeyCredential('d3Jvbmc='));
      const event = { eventType: 'x', subject: 'x', dataVersion: '1', data: {} };
      await expect(wrong.send([event])).rejects.toMatchObject({ statusCode: 401, code: 'Unauthorized' });
      await expect(wrong.send([])).rejects.toMatchObject({ statusCode: 401 });
      expect(taken()).toEqual([]);
    });

    it('accepts what the CloudEvents library emits', async () => {
      const { endpoint, key } = await topicOf('cloud', { inputSchema: 'CloudEventSchemaV1_0' });
      const sent = new CloudEvent({ source: '/shop', type: 'Shop.Sold', subject: '/1', data: { a: 1 }, color: 'red' });
      const headers = { 'aeg-sas-key': key };
      await emitterFor(httpTransport(endpoint), { mode: Mode.STRUCTURED })(sent, { headers });
      await emitterFor(httpTransport(endpoint), { mode: Mode.BINARY })(sent, { headers });
      const batch = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/cloudevents-batch+json' },
        body: JSON.stringify([sent, sent]),
      });
      expect(batch.status).toBe(200);
      const published = taken().map(({ event: { original } }) => original);
      expect(published).toHaveLength(4);
      for (const each of published) {
        const read = HTTP.toEvent({
          headers: { 'content-type': 'application/cloudevents+json' },
          body: JSON.stringify(each),
        });
        expect(read).toMatchObject({ id: sent.id, type: 'Shop.Sold', color: 'red', data: { a: 1 }, time: sent.time });
      }
    });

    it('creates the topics of a domain once, however many clients publish to them concurrently', async () => {
      const polling = { updateIntervalInMs: 20 };
      const made = { location: 'westus' };
      const { endpoint = '' } = await management().domains.beginCreateOrUpdateAndWait(
        'clients',
        'crowded',
        made,
        polling,
      );
      const { key1 = '' } = await management().domains.listSharedAccessKeys('clients', 'crowded');
      const publisher = new EventGridPublisherClient(endpoint, 'EventGrid', new AzureKeyCredential(key1));
      const to = (topic: string) => ({ topic, eventType: 'x', subject: 'x', dataVersion: '1', data: {} });
      const orders = [['one', 'two', 'three'], ['three', 'two', 'one'], ['two'], ['Three', 'ONE']];
      await Promise.all(Array.from({ length: 12 }, (_, i) => publisher.send((orders[i % 4] ?? []).map(to))));
      expect(taken()).toHaveLength(27);
      const topics = await Array.fromAsync(management().domainTopics.listByDomain('clients', 'crowded'));
      expect(topics.map(({ name }) => name?.toLowerCase()).sort()).toEqual(['one', 'three', 'two']);
    });

    it('publishes to the topics of a domain', async () => {
      const polling = { updateIntervalInMs: 20 };
      const domain = await management().domains.beginCreateOrUpdateAndWait(
        'clients',
        'shops',
        { location: 'westus' },
        polling,
      );
      const { key1 = '' } = await management().domains.listSharedAccessKeys('clients', 'shops');
      const publisher = new EventGridPublisherClient(domain.endpoint ?? '', 'EventGrid', new AzureKeyCredential(key1));
      await publisher.send([{ topic: 'berlin', eventType: 'x', subject: 'x', dataVersion: '1', data: {} }]);
      const [{ event } = { event: undefined }] = taken();
      expect(event?.topic).toMatch(/\/domains\/shops\/topics\/berlin$/);
      const topics = await Array.fromAsync(management().domainTopics.listByDomain('clients', 'shops'));
      expect(topics.map(({ name }) => name)).toEqual(['berlin']);
    });
  },
  { namespace: ['Microsoft'] },
);
