import { describe, expect, it } from 'vitest';
import { sendToResource, writeDeadLetter } from '../../../../src/services/events/destinations/send.ts';
import { type Answer, control, queueNamed, toQueue, withJar } from './queue-calls.ts';
import { ACCOUNT, BUS, deadLetter, EVENT, HUBS, messageTo, OWNER, patiently } from './support.ts';

/** Without a configured connection, the jar's own queues take the events. */

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`${engine}: the jar's own queues`, () => {
    it('take messages for destinations of every type, and name the resource', (context) =>
      withJar(engine, context, async (opened) => {
        const destinations = [
          ['ServiceBusQueue', { resourceId: `${BUS}/queues/orders` }],
          ['ServiceBusTopic', { resourceId: `${BUS}/topics/orders` }],
          ['EventHub', { resourceId: `${HUBS}/eventhubs/clicks` }],
          ['StorageQueue', { resourceId: ACCOUNT, queueName: 'parcels' }],
          ['AzureFunction', { resourceId: `${BUS.replace('ServiceBus/namespaces', 'Web/sites')}/functions/fill` }],
          ['NamespaceTopic', { resourceId: `${BUS.replace('ServiceBus', 'EventGrid')}/topics/inner` }],
          ['MonitorAlert', { severity: 'Sev2', description: 'too many', actionGroups: ['/a', '/b'] }],
        ] as const;
        for (const [type, properties] of destinations) {
          const reply = await sendToResource(messageTo(type, properties), opened.jar, patiently());
          expect(reply).toMatchObject({ outcome: 'Succeeded' });
        }
        await writeDeadLetter(deadLetter(), opened.jar, patiently());
        const { body } = await control(opened, 'GET', '/queues');
        const shown = body.value.map((each: Record<string, unknown>) => [
          each.endpointType,
          each.name,
          each.resourceId,
        ]);
        expect(new Map(shown.map(([type, ...rest]: string[]) => [type, rest]))).toEqual(
          new Map([
            ['ServiceBusQueue', ['orders', `${BUS}/queues/orders`]],
            ['ServiceBusTopic', ['orders', `${BUS}/topics/orders`]],
            ['EventHub', ['clicks', `${HUBS}/eventhubs/clicks`]],
            ['StorageQueue', ['parcels', `${ACCOUNT}/queueServices/default/queues/parcels`]],
            ['AzureFunction', ['fill', `${BUS.replace('ServiceBus/namespaces', 'Web/sites')}/functions/fill`]],
            ['NamespaceTopic', ['inner', `${BUS.replace('ServiceBus', 'EventGrid')}/topics/inner`]],
            ['MonitorAlert', ['mine', OWNER]],
            ['StorageBlob', ['shopdata/letters', `${ACCOUNT}/blobServices/default/containers/letters`]],
          ]),
        );
        const counts = { total: 1, visible: 1, hidden: 0 };
        for (const queue of body.value) {
          expect(queue.id).toMatch(/^[a-z0-9-]+-[0-9a-f]{8}$/);
          expect(queue.messages).toEqual(counts);
        }
        const alerts = await control(opened, 'GET', `/queues/${await queueNamed(opened, 'mine')}/messages`);
        expect(alerts.body.value[0].properties).toMatchObject({ severity: 'Sev2', actionGroups: '/a,/b' });
        const letters = await control(
          opened,
          'GET',
          `/queues/${await queueNamed(opened, 'shopdata/letters')}/messages`,
        );
        expect(letters.body.value[0]).toMatchObject({
          properties: { blob: 'MINE/2030/1/5/7/one.json' },
          body: [{ ...EVENT, deadLetterReason: 'MaxDeliveryAttemptsExceeded' }],
        });
      }));

    it('hold a message once, however often it is delivered', (context) =>
      withJar(engine, context, async (opened) => {
        const message = toQueue('orders');
        for (let i = 0; i < 3; i++) await sendToResource(message, opened.jar, patiently());
        const { body } = await control(opened, 'GET', '/queues');
        expect(body.value[0].messages.total).toBe(1);
      }));

    it('hide a received message until the time is over, by the clock; its receipt then changes', (context) =>
      withJar(engine, context, async (opened) => {
        await sendToResource(toQueue('orders', 'd1'), opened.jar, patiently());
        const queue = await queueNamed(opened, 'orders');
        const receive = async () =>
          (await control(opened, 'POST', `/queues/${queue}/receive`, { visibilityTimeout: 60 })).body.value;
        const [first] = await receive();
        expect(first).toMatchObject({
          id: 'd1',
          dequeueCount: 1,
          body: EVENT,
          contentType: 'application/json; charset=utf-8',
        });
        expect(await receive()).toEqual([]);
        await opened.running.clock.advance('59s');
        expect(await receive()).toEqual([]);
        await opened.running.clock.advance('1s');
        const [second] = await receive();
        expect(second).toMatchObject({ id: 'd1', dequeueCount: 2 });
        const outdated = await control(opened, 'DELETE', `/queues/${queue}/messages/d1?receipt=${first.receipt}`);
        expect([outdated.status, outdated.body.error.code]).toEqual([409, 'ReceiptOutdated']);
        const deleted = await control(opened, 'DELETE', `/queues/${queue}/messages/d1?receipt=${second.receipt}`);
        expect(deleted.status).toBe(204);
        const gone = await control(opened, 'DELETE', `/queues/${queue}/messages/d1?receipt=${second.receipt}`);
        expect([gone.status, gone.body.error.code]).toEqual([404, 'NoSuchMessage']);
      }));

    it('show what is in them page by page, and change nothing by it', (context) =>
      withJar(engine, context, async (opened) => {
        for (let i = 1; i <= 5; i++) await sendToResource(toQueue('orders', `d${i}`), opened.jar, patiently());
        const queue = await queueNamed(opened, 'orders');
        await control(opened, 'POST', `/queues/${queue}/receive`, {});
        const seen: string[] = [];
        let next: string | undefined = `/queues/${queue}/messages?$top=2`;
        while (next) {
          const page: Answer = await control(opened, 'GET', next);
          seen.push(...page.body.value.map(({ id }: { id: string }) => id));
          next = page.body.nextLink;
        }
        expect(seen).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
        const { body } = await control(opened, 'GET', '/queues');
        expect(body.value[0].messages).toEqual({ total: 5, visible: 4, hidden: 1 });
        const [peeked] = (await control(opened, 'GET', `/queues/${queue}/messages?$top=1`)).body.value;
        expect(peeked).toMatchObject({ id: 'd1', dequeueCount: 1 });
        expect(peeked).not.toHaveProperty('receipt');
      }));

    it('drop a message when its time to live is over, received or not', (context) =>
      withJar(engine, context, async (opened) => {
        const lasting = { resourceId: ACCOUNT, queueName: 'mixed' };
        const send = (seconds: number) =>
          sendToResource(
            messageTo(
              'StorageQueue',
              { ...lasting, queueMessageTimeToLiveInSeconds: seconds },
              { deliveryId: `ttl${seconds}` },
            ),
            opened.jar,
            patiently(),
          );
        for (const seconds of [60, 120, -1]) await send(seconds);
        const queue = await queueNamed(opened, 'mixed');
        const left = async () =>
          (await control(opened, 'GET', `/queues/${queue}/messages`)).body.value.map(({ id }: { id: string }) => id);
        expect((await left()).toSorted()).toEqual(['ttl-1', 'ttl120', 'ttl60']);
        await control(opened, 'POST', `/queues/${queue}/receive`, { max: 500, visibilityTimeout: 10 });
        await opened.running.clock.advance('60s');
        expect((await left()).toSorted()).toEqual(['ttl-1', 'ttl120']);
        await opened.running.clock.advance('60s');
        expect(await left()).toEqual(['ttl-1']);
        // Removed, not only hidden: no work is due, however far the clock advances.
        const { url, adminKey } = opened.running;
        const work = `${url}/_jar/work?$filter=${encodeURIComponent("kind ne 'feed.prune'")}`;
        const due = await (await fetch(work, { headers: { authorization: `Bearer ${adminKey}` } })).json();
        expect(due).toEqual({ value: [] });
        await opened.running.clock.advance('700d');
        expect(await left()).toEqual(['ttl-1']);
      }));

    it('are purged at once', (context) =>
      withJar(engine, context, async (opened) => {
        for (let i = 0; i < 7; i++) await sendToResource(toQueue('orders'), opened.jar, patiently());
        await sendToResource(toQueue('others'), opened.jar, patiently());
        const queue = await queueNamed(opened, 'orders');
        expect(await control(opened, 'DELETE', `/queues/${queue}/messages`)).toEqual({
          status: 200,
          body: { removed: 7 },
        });
        const { body } = await control(opened, 'GET', `/queues/${await queueNamed(opened, 'others')}/messages`);
        expect(body.value).toHaveLength(1);
      }));

    it('never give a message to two receivers at once', (context) =>
      withJar(engine, context, async (opened) => {
        await Promise.all(Array.from({ length: 40 }, () => sendToResource(toQueue('orders'), opened.jar, patiently())));
        const queue = await queueNamed(opened, 'orders');
        const taken = await Promise.all(
          Array.from({ length: 12 }, () => control(opened, 'POST', `/queues/${queue}/receive`, { max: 5 })),
        );
        const ids = taken.flatMap(({ body }) => body.value.map(({ id }: { id: string }) => id));
        expect(ids).toHaveLength(40);
        expect(new Set(ids).size).toBe(40);
      }));

    it('show secret attributes to receivers, but not to readers', (context) =>
      withJar(engine, context, async (opened) => {
        const message = messageTo('ServiceBusQueue', {
          resourceId: `${BUS}/queues/orders`,
          deliveryAttributeMappings: [
            { name: 'Api-Key', type: 'Static', properties: { value: null, isSecret: true } },
            { name: 'Region', type: 'Static', properties: { value: 'north' } },
          ],
        });
        const headers = { ...message.headers, 'api-key': 'very-secret', region: 'north' };
        await sendToResource({ ...message, headers }, opened.jar, patiently());
        const queue = await queueNamed(opened, 'orders');
        const peeked = await control(opened, 'GET', `/queues/${queue}/messages`);
        expect(peeked.body.value[0].properties).toMatchObject({ Region: 'north' });
        expect(JSON.stringify(peeked.body)).not.toContain('very-secret');
        const received = await control(opened, 'POST', `/queues/${queue}/receive`);
        expect(received.body.value[0].properties).toMatchObject({ Region: 'north', 'Api-Key': 'very-secret' });
      }));

    it('are refused in the shape of the control API', (context) =>
      withJar(engine, context, async (opened) => {
        await sendToResource(toQueue('orders'), opened.jar, patiently());
        const queue = await queueNamed(opened, 'orders');
        const cases = [
          ['GET', '/queues/none-00000000/messages', undefined, 404, 'NoSuchQueue'],
          ['POST', '/queues/none-00000000/receive', {}, 404, 'NoSuchQueue'],
          ['DELETE', '/queues/none-00000000/messages', undefined, 404, 'NoSuchQueue'],
          ['DELETE', `/queues/${queue}/messages/none`, undefined, 404, 'NoSuchMessage'],
          ['DELETE', `/queues/${queue}/messages/`, undefined, 400, 'NameMissing'],
          ['GET', `/queues/${queue}/messages?$top=0`, undefined, 400, 'InvalidQuery'],
          ['GET', `/queues/${queue}/messages?$skiptoken=x`, undefined, 400, 'BadSkipToken'],
          ['GET', `/queues/${queue}/messages?peek=1`, undefined, 400, 'InvalidQuery'],
          ['POST', `/queues/${queue}/receive`, { max: 0 }, 400, 'InvalidBody'],
          ['POST', `/queues/${queue}/receive`, { max: 501 }, 400, 'InvalidBody'],
          ['POST', `/queues/${queue}/receive`, { visibilityTimeout: -1 }, 400, 'InvalidBody'],
        ] as const;
        for (const [method, path, body, status, code] of cases) {
          const answer = await control(opened, method, path, body);
          expect([path, answer.status, answer.body.error.code]).toEqual([path, status, code]);
        }
        expect((await fetch(`${opened.running.url}/_jar/events/queues`)).status).toBe(401);
      }));
  });
}
