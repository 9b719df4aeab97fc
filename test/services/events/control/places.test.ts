import { expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { control, GROUP, makeTopic, subscribe, webHook } from '../delivering/grid.ts';

onAnyStore('topics and event subscriptions of the whole jar', (bench) => {
  it('are listed with their addresses, filters and destinations, without secrets', async () => {
    const topic = await makeTopic(bench);
    await subscribe(bench, topic.id, 'red', {
      destination: webHook(`${bench.jar.inbox('red').httpsUrl}?key=hidden`, {
        deliveryAttributeMappings: [{ name: 'X-Key', type: 'Static', properties: { value: 'hidden', isSecret: true } }],
      }),
      filter: { subjectBeginsWith: '/orders' },
      expirationTimeUtc: '2040-01-01T00:00:00Z',
    });
    await subscribe(bench, GROUP, 'writes', { destination: webHook(bench.jar.inbox('writes').httpsUrl) });

    const topics = await control(bench, "events/topics?$filter=kind eq 'topic'");
    expect(topics.body.value).toEqual([
      {
        id: topic.id,
        name: 'orders',
        kind: 'topic',
        location: 'westus',
        subscriptionId: expect.any(String),
        resourceGroup: 'shop',
        state: 'Succeeded',
        inputSchema: 'EventGridSchema',
        endpoint: expect.stringMatching(/^https:.*\/events\/westus\/orders\/api\/events$/),
        subscriptions: 1,
      },
    ]);

    const { body, text } = await control(bench, `events/subscriptions?$filter=topic eq '${topic.id.toUpperCase()}'`);
    expect(text).not.toContain('hidden');
    expect(body.value).toEqual([
      expect.objectContaining({
        name: 'red',
        state: 'Succeeded',
        isLive: true,
        endpointType: 'WebHook',
        endpoint: bench.jar.inbox('red').httpsUrl,
        expiresAt: '2040-01-01T00:00:00.000Z',
        filter: expect.objectContaining({ subjectBeginsWith: '/orders' }),
        retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
      }),
    ]);
    expect((await control(bench, 'events/subscriptions?$orderby=name')).body.value).toHaveLength(2);

    const { id } = body.value[0];
    const one = await control(bench, `events/subscriptions/${encodeURIComponent(id.toLowerCase())}`);
    expect(one.body).toEqual(body.value[0]);
  });

  it('refuse an unknown id with 404', async () => {
    const { status, body } = await control(bench, 'events/subscriptions/%2Fnothing');
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'NoSuchSubscription' });
  });

  it('finds an event subscription at a management group', async () => {
    const groups = '/providers/Vendor.Management/managementGroups';
    const made = await bench.call('PUT', `${groups}/all?api-version=2020-05-01`, { body: {} });
    expect(made.status, made.text).toBeLessThan(300);
    await bench.jar.settled();
    await subscribe(bench, `${groups}/all`, 'above', { destination: webHook(bench.jar.inbox('above').httpsUrl) });
    const { body } = await control(bench, "events/subscriptions?$filter=name eq 'above'");
    const one = await control(bench, `events/subscriptions/${encodeURIComponent(body.value[0].id)}`);
    expect(one.body).toMatchObject({ name: 'above', tenantId: expect.any(String) });
  });
});
