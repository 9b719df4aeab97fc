import { AzureKeyCredential } from '@azure/eventgrid';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bench, SUBSCRIPTION, withJar } from '../support/jars.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/team`;
const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;

const event = (id: string) => ({
  id,
  subject: 'orders/7',
  eventType: 'Shop.Sold',
  dataVersion: '1.0',
  data: { total: 3 },
  eventTime: new Date(0),
});

/** The `send` call of every major version. */
const MAJORS = [
  {
    module: 'eventgrid-v2',
    async publish(endpoint: string, key: string, id: string) {
      const { EventGridClient } = await import('eventgrid-v2');
      const credentials = {
        async signRequest(request: { headers: { set(name: string, value: string): void } }) {
          request.headers.set('aeg-sas-key', key);
          return request;
        },
      };
      // This version takes a host, and uses its default path only if none is given.
      const host = endpoint.replace(/^https:\/\//, '');
      // biome-ignore lint/suspicious/noExplicitAny: of another release of the library that its credentials come from
      await new EventGridClient(credentials as any).publishEvents(host, [event(id)]);
    },
  },
  {
    module: 'eventgrid-v4',
    async publish(endpoint: string, key: string, id: string) {
      const { EventGridPublisherClient } = await import('eventgrid-v4');
      await new EventGridPublisherClient(endpoint, 'EventGrid', new AzureKeyCredential(key)).send([event(id)]);
    },
  },
  {
    module: '@azure/eventgrid',
    async publish(endpoint: string, key: string, id: string) {
      const { EventGridPublisherClient } = await import('@azure/eventgrid');
      await new EventGridPublisherClient(endpoint, 'EventGrid', new AzureKeyCredential(key)).send([event(id)]);
    },
  },
];

describe('every major version of the client that publishes events', () => {
  withJar((bench) => {
    let topic = { endpoint: '', key1: '' };
    beforeAll(async () => {
      topic = await makeTopic(bench);
    });

    it.each(MAJORS)('$module publishes to a topic', async ({ module, publish }) => {
      await publish(topic.endpoint, topic.key1, module);
      const { body } = await bench.jar.inbox('orders').next();
      expect(JSON.parse(body)).toMatchObject([{ id: module, subject: 'orders/7', topic: TOPIC, data: { total: 3 } }]);
    });
  });
});

async function makeTopic(bench: Bench): Promise<{ endpoint: string; key1: string }> {
  const { jar } = bench;
  const call: Bench['call'] = (...parameters) => bench.call(...parameters);
  const version = 'api-version=2022-06-15';
  await call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'westus' } });
  await call('PUT', `${TOPIC}?${version}`, { body: { location: 'westus' } });
  const endpointUrl = `${jar.httpsUrl}/_jar/inbox/orders`;
  const body = { properties: { destination: { endpointType: 'WebHook', properties: { endpointUrl } } } };
  const subscription = `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/to-inbox?${version}`;
  await call('PUT', subscription, { body });
  await jar.settled();
  const { endpoint } = (await call('GET', `${TOPIC}?${version}`)).body.properties;
  const { key1 } = (await call('POST', `${TOPIC}/listKeys?${version}`)).body;
  return { endpoint, key1 };
}
