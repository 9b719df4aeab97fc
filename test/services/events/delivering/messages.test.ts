import { describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { control, event, makeTopic, publish, subscribe, type Topic, webHook } from './grid.ts';

const attribute = (name: string, properties: object, type = 'Static') => ({ name, type, properties });

describe('what an endpoint gets', () => {
  withJar((bench) => {
    let topic: Topic;

    it('comes with the attributes that its subscription wants: static, secret and taken from the event', async () => {
      topic = await makeTopic(bench);
      const inbox = bench.jar.inbox('attributes');
      await subscribe(bench, topic.id, 'attributes', {
        destination: webHook(inbox.httpsUrl, {
          deliveryAttributeMappings: [
            attribute('X-Team', { value: 'red' }),
            attribute('X-Key', { value: 'hidden-key', isSecret: true }),
            attribute('X-Color', { sourceField: 'data.color' }, 'Dynamic'),
            attribute('X-City', { sourceField: 'data.city' }, 'Dynamic'),
            attribute('X-None', { sourceField: 'data.none.at.all' }, 'Dynamic'),
          ],
        }),
      });
      await publish(bench, topic, event({ data: { color: 'green', city: 'Zürich\n' } }));
      await bench.jar.settled();
      const { headers } = await inbox.next();
      expect(headers).toMatchObject({
        'x-team': 'red',
        'x-key': 'hidden-key',
        'x-color': 'green',
        'x-city': 'Z%C3%BCrich%0A',
      });
      expect(headers).not.toHaveProperty('x-none');
      const { text } = await control(bench, 'deliveries');
      expect(text).not.toContain('hidden-key');
    });

    it('is one message for all waiting events, within the subscription’s maximum number and preferred size', async () => {
      const inbox = bench.jar.inbox('batches');
      await subscribe(bench, topic.id, 'batches', {
        destination: webHook(inbox.httpsUrl, { maxEventsPerBatch: 3, preferredBatchSizeInKilobytes: 1 }),
        filter: { includedEventTypes: ['Batch'] },
      });
      const of = (id: string, data: unknown = {}) => event({ id, eventType: 'Batch', data });
      await publish(bench, topic, of('1'), of('2'), of('3'), of('4'), of('5', 'x'.repeat(5000)), of('6'));
      await bench.jar.settled();
      const batches = (await inbox.requests()).filter(({ handshake }) => !handshake).map((request) => request.json());
      expect(batches.map((batch) => batch.map(({ id }: { id: string }) => id)).sort()).toEqual([
        ['1', '2', '3'],
        ['4'],
        ['5'],
        ['6'],
      ]);
    });

    it('is a batch of CloudEvents if it accepts several', async () => {
      const inbox = bench.jar.inbox('cloud');
      await subscribe(bench, topic.id, 'cloud', {
        destination: webHook(inbox.httpsUrl, { maxEventsPerBatch: 5 }),
        eventDeliverySchema: 'CloudEventSchemaV1_0',
        filter: { includedEventTypes: ['Cloud'] },
      });
      await publish(bench, topic, event({ eventType: 'Cloud' }), event({ eventType: 'Cloud' }));
      await bench.jar.settled();
      const got = await inbox.next();
      expect(got.headers['content-type']).toBe('application/cloudevents-batch+json; charset=utf-8');
      expect(got.json()).toHaveLength(2);
    });

    it('carries a token of the directory where its subscription names one', async () => {
      const inbox = bench.jar.inbox('protected');
      const tenant = '10000000-0000-4000-8000-000000000001';
      await subscribe(bench, topic.id, 'protected', {
        destination: webHook(inbox.httpsUrl, {
          azureActiveDirectoryTenantId: tenant,
          azureActiveDirectoryApplicationIdOrUri: 'api://shop',
        }),
        filter: { includedEventTypes: ['Protected'] },
      });
      await publish(bench, topic, event({ eventType: 'Protected' }));
      await bench.jar.settled();
      const { headers } = await inbox.next();
      const [, claims = ''] = String(headers.authorization).split('.');
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: 'api://shop', tid: tenant });
    });

    it('is not sent to a subscription that was deleted meanwhile', async () => {
      const inbox = bench.jar.inbox('gone');
      await subscribe(bench, topic.id, 'gone', {
        destination: webHook(inbox.httpsUrl),
        filter: { includedEventTypes: ['Gone'] },
      });
      await inbox.respond({ status: 503 });
      await publish(bench, topic, event({ eventType: 'Gone' }));
      await bench.jar.settled();
      await bench.call(
        'DELETE',
        `${topic.id}/providers/Vendor.EventGrid/eventSubscriptions/gone?api-version=2025-02-15`,
      );
      await bench.jar.clock.advance('2d');
      const sent = (await inbox.requests()).filter(({ handshake }) => !handshake);
      expect(sent.map(({ headers }) => headers['aeg-event-type'])).toContain('SubscriptionDeletion');
      expect(sent.filter(({ headers }) => headers['aeg-event-type'] === 'Notification')).toHaveLength(1);
    });

    it('is delivered to more than a thousand subscribers, in steps, without leaving out any', async () => {
      const wide = await makeTopic(bench, 'wide');
      const names = Array.from({ length: 30 }, (_, i) => `wide${i}`);
      for (const name of names) {
        await subscribe(bench, wide.id, name, {
          destination: {
            endpointType: 'StorageQueue',
            properties: {
              resourceId: `${topic.id.split('/providers/')[0]}/providers/Vendor.Storage/storageAccounts/store`,
              queueName: 'all',
            },
          },
        });
      }
      await publish(bench, wide, ...Array.from({ length: 50 }, (_, i) => event({ id: `w${i}` })));
      await bench.jar.settled();
      const { body } = await control(bench, 'events/queues');
      const queue = body.value.find(({ name }: { name: string }) => name.includes('all'));
      expect(queue.messages.total).toBe(names.length * 50);
      const { text } = await control(bench, 'metrics');
      expect(text).toMatch(/cloudjar_deliveries_total\{service="events",outcome="delivered"\} 15\d\d/);
    });
  });
});
