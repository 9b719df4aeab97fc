import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';
import { finish, major, names, openClient, Versions } from './generations.ts';

const CLIENT = 'EventGridManagementClient';

const MAJORS = [
  major('azure-arm-eventgrid', 'ms-rest', CLIENT, '2018-09-15-preview'),
  major('arm-eventgrid-v4', 'ms-rest-js', CLIENT, '2019-06-01'),
  major('arm-eventgrid-v9', 'ms-rest-js', CLIENT, '2020-06-01'),
  major('@azure/arm-eventgrid', 'core', CLIENT, '2022-06-15'),
];

/**
 * Every published major version of the client creates, lists, reads, updates and deletes topics and event subscriptions with its own
 * api-version.
 */
describe('every major version of the client of topics and event subscriptions', () => {
  const versions = new Versions();
  withJar(
    (bench) => {
      it.each(MAJORS)('$title', async (one) => {
        const client = await openClient(bench, one, SUBSCRIPTION);
        const { topics, eventSubscriptions } = client;
        const group = `group-${MAJORS.indexOf(one)}`;
        const path = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}`;
        await bench.call('PUT', `${path}?api-version=2021-04-01`, { body: { location: 'westus' } });
        versions.take();

        const name = `orders-${MAJORS.indexOf(one)}`;
        const topic = { location: 'westus', tags: { team: 'shop' } };
        const made = await finish(topics, 'createOrUpdate', group, name, topic);
        expect(made).toMatchObject({ name, provisioningState: 'Succeeded', tags: { team: 'shop' } });
        expect(made.endpoint).toMatch(/^https:/);
        expect(await names(topics.listByResourceGroup(group))).toEqual([name]);
        const keys = await topics.listSharedAccessKeys(group, name);
        expect(keys.key1).toHaveLength(44);
        const other = await finish(topics, 'regenerateKey', group, name, { keyName: 'key1' });
        expect(other.key1).not.toBe(keys.key1);
        // The first generation cannot handle a PATCH that is answered with 201, as by this service.
        const tags = { team: 'store' };
        if (one.generation === 'ms-rest') await finish(topics, 'createOrUpdate', group, name, { ...topic, tags });
        else await finish(topics, 'update', group, name, { tags });
        expect((await topics.get(group, name)).tags).toEqual({ team: 'store' });

        const scope = made.id;
        const wanted = {
          destination: { endpointType: 'WebHook', endpointUrl: `${bench.jar.httpsUrl}/_jar/inbox/majors?key=hidden` },
          filter: { includedEventTypes: ['Shop.Sold'], subjectBeginsWith: 'orders/' },
          labels: ['first'],
        };
        const subscribed = await finish(eventSubscriptions, 'createOrUpdate', scope, 'to-inbox', wanted);
        expect(subscribed).toMatchObject({ name: 'to-inbox', provisioningState: 'Succeeded', labels: ['first'] });
        const read = await eventSubscriptions.get(scope, 'to-inbox');
        expect(read).toMatchObject({
          destination: { endpointType: 'WebHook', endpointBaseUrl: `${bench.jar.httpsUrl}/_jar/inbox/majors` },
          filter: { includedEventTypes: ['Shop.Sold'], subjectBeginsWith: 'orders/', subjectEndsWith: '' },
        });
        expect((await eventSubscriptions.getFullUrl(scope, 'to-inbox')).endpointUrl).toContain('key=hidden');
        const ofTopic = eventSubscriptions.listByResource(group, 'Microsoft.EventGrid', 'topics', name);
        expect(await names(ofTopic)).toEqual(['to-inbox']);
        const labels = ['second'];
        if (one.generation === 'ms-rest')
          await finish(eventSubscriptions, 'createOrUpdate', scope, 'to-inbox', { ...wanted, labels });
        else await finish(eventSubscriptions, 'update', scope, 'to-inbox', { labels });
        expect((await eventSubscriptions.get(scope, 'to-inbox')).labels).toEqual(labels);
        expect(await names(client.topicTypes.list())).toContain('Microsoft.Resources.Subscriptions');
        await finish(eventSubscriptions, 'delete', scope, 'to-inbox');
        await finish(topics, 'delete', group, name);
        await expect(topics.get(group, name)).rejects.toMatchObject({ statusCode: 404 });
        expect(versions.take()).toEqual([one.apiVersion]);
      });
    },
    { namespace: ['Microsoft'], observe: versions.observe },
  );
});
