import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { control, event, GROUP, makeTopic, publish, subscribe, VERSION, webHook } from './delivering/grid.ts';

const TARGET = `/subscriptions/${SUBSCRIPTION}/resourceGroups/target`;
const queue = (queueName: string) => ({
  endpointType: 'StorageQueue',
  properties: { resourceId: `${GROUP}/providers/Vendor.Storage/storageAccounts/store`, queueName },
});

onBothStores('topics, domains and what is subscribed to, when they move to another group', (bench) => {
  const at = (scope: string, name: string) =>
    `${scope}/providers/Vendor.EventGrid/eventSubscriptions/${name}?${VERSION}`;
  const moved = (id: string) => id.replace(GROUP, TARGET);
  const move = async (...resources: string[]) => {
    await bench.call('PUT', `${TARGET}?api-version=2021-04-01`, { body: { location: 'westus' } });
    const body = { resources, targetResourceGroup: TARGET };
    const reply = await bench.call('POST', `${GROUP}/moveResources?api-version=2021-04-01`, { body });
    expect(reply.status, reply.text).toBe(202);
    const ended = await bench.call('GET', reply.headers.get('location') as string);
    expect(ended.status, ended.text).toBe(204);
  };
  const messagesIn = async (name: string): Promise<string[]> => {
    const { body } = await control(bench, 'events/queues');
    const found = body.value.find((each: { name: string }) => each.name.endsWith(name));
    if (!found) return [];
    const { value } = (await control(bench, `events/queues/${found.id}/messages`)).body;
    return value.map(({ body: message }: { body: { id: string } }) => message.id).sort();
  };

  it('keep address and keys, and queued events arrive through the subscription at the new id', async () => {
    const topic = await makeTopic(bench);
    const inbox = bench.jar.inbox('late');
    await subscribe(bench, topic.id, 'late', { destination: webHook(inbox.httpsUrl) });
    await subscribe(bench, topic.id, 'stored', { destination: queue('stored') });
    await inbox.respond({ status: 503 });
    await publish(bench, topic, event({ id: 'before' }));
    await bench.jar.settled();
    await move(topic.id);
    const subscription = await bench.call('GET', at(moved(topic.id), 'late'));
    expect(subscription.body).toMatchObject({
      id: expect.stringContaining('/resourceGroups/target/'),
      properties: { topic: expect.stringContaining('/resourceGroups/target/'), provisioningState: 'Succeeded' },
    });
    expect((await bench.call('GET', at(topic.id, 'late'))).status).toBe(404);
    const keys = await bench.call('POST', `${moved(topic.id)}/listKeys?${VERSION}`);
    expect(keys.body.key1).toBe(topic.key);
    // Moved deliveries are attempted at once, and must be refused too.
    await bench.jar.settled();
    await inbox.respond({ status: 200 });
    const refused = (await inbox.requests()).length;
    await publish(bench, topic, event({ id: 'after' }));
    await bench.jar.clock.advance('1h');
    const arrived = (await inbox.requests()).slice(refused);
    expect(arrived.map((request) => request.json()[0].id).sort()).toEqual(['after', 'before']);
    expect(await messagesIn('stored')).toEqual(['after', 'before']);
    // The moved topic still occupies the name.
    const again = await bench.call('PUT', `${topic.id}?${VERSION}`, { body: { location: 'westus' } });
    expect(again.status).not.toBe(201);
    expect((await bench.call('DELETE', `${moved(topic.id)}?${VERSION}`)).status).toBeLessThan(203);
    await bench.jar.settled();
    expect((await bench.call('GET', at(moved(topic.id), 'late'))).status).toBe(404);
  });

  it('move the topics of a domain with it', async () => {
    const domain = `${GROUP}/providers/Vendor.EventGrid/domains/papers`;
    await bench.call('PUT', `${domain}?${VERSION}`, { body: { location: 'westus' } });
    await bench.jar.settled();
    await subscribe(bench, `${domain}/topics/sports`, 'fans', { destination: queue('fans') });
    await move(domain);
    expect((await bench.call('GET', `${moved(domain)}/topics/sports?${VERSION}`)).status).toBe(200);
    expect((await bench.call('GET', `${domain}/topics/sports?${VERSION}`)).status).toBe(404);
    expect((await bench.call('GET', at(`${moved(domain)}/topics/sports`, 'fans'))).status).toBe(200);
  });

  it('of stored resources move their event subscriptions', async () => {
    const record = `${GROUP}/providers/Vendor.Web/sites/shop`;
    const version = 'api-version=2023-12-01';
    await bench.call('PUT', `${record}?${version}`, { body: { location: 'westus' } });
    // The default set of a site has events that only its own service sends.
    const filter = { includedEventTypes: ['Vendor.Resources.ResourceWriteSuccess'] };
    await subscribe(bench, record, 'watch', { destination: queue('watch'), filter });
    await move(record);
    expect((await bench.call('GET', at(moved(record), 'watch'))).status).toBe(200);
    expect((await bench.call('HEAD', at(moved(record), 'watch'))).status).toBe(204);
    await bench.jar.settled();
    const before = (await messagesIn('watch')).length;
    await bench.call('PATCH', `${moved(record)}?${version}`, { body: { tags: { a: '1' } } });
    await bench.jar.settled();
    expect(await messagesIn('watch')).toHaveLength(before + 1);
  });
});
