import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { afterAll, expect, it } from 'vitest';
import {
  type ResourceGroup,
  resourceGroups,
  resources,
  type Subscription,
} from '../../../../src/kernel/arm/collections.ts';
import type { ArmFacts } from '../../../../src/kernel/arm/route.ts';
import { openSqlite } from '../../../../src/kernel/store/sqlite/store.ts';
import type { EventsJar } from '../../../../src/services/events/jar.ts';
import type { Place } from '../../../../src/services/events/subscriptions/place.ts';
import { lockParent, readParent } from '../../../../src/services/events/subscriptions/scope.ts';
import { type Bench, onAnyStore, SUBSCRIPTION, withJar } from '../../../support/jars.ts';
import {
  AT_GROUP,
  AT_WIDGET,
  hook,
  http,
  makeGroup,
  makeWidget,
  OPTIONS,
  POLLING,
  queue,
  storageQueue,
  VERSION,
} from './bench.ts';

/** What the gateway in front of event subscriptions does for them. */

const AT_TOPIC = `${AT_GROUP}/providers/Microsoft.EventGrid/topics/orders`;

const folder = mkdtempSync(join(tmpdir(), 'cloudjar-roles-'));
const seed = join(folder, 'seed.json');
const tenantId = '10000000-0000-4000-8000-000000000001';
writeFileSync(
  seed,
  JSON.stringify({
    resources: {
      subscriptions: [{ subscriptionId: SUBSCRIPTION, tenantId, displayName: 'Shop' }],
      roles: [
        { principalId: '10000000-0000-4000-8000-000000000011', scope: '/', role: 'Owner' },
        { principalId: '10000000-0000-4000-8000-000000000012', scope: AT_GROUP, role: 'Contributor' },
        { principalId: '10000000-0000-4000-8000-000000000013', scope: AT_TOPIC, role: 'Contributor' },
      ],
    },
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

const ofMember = (bench: Bench) => bench.jar.token({ user: 'licensed' });

withJar(
  (bench) => {
    it('lets whoever has a role at a group do with the official client all that there is to do in it', async () => {
      await makeGroup(bench);
      const credential = {
        getToken: async () => ({ token: await ofMember(bench), expiresOnTimestamp: Date.now() + 3_600_000 }),
      };
      const options = { endpoint: bench.jar.httpsUrl, apiVersion: VERSION };
      const client = new EventGridManagementClient(credential, SUBSCRIPTION, options);
      const topic = await client.topics.beginCreateOrUpdateAndWait('shop', 'orders', { location: 'westus' }, POLLING);
      expect(topic.provisioningState).toBe('Succeeded');
      const made = await client.eventSubscriptions.beginCreateOrUpdateAndWait(
        AT_GROUP,
        'mine',
        storageQueue(),
        POLLING,
      );
      expect(made.provisioningState).toBe('Succeeded');
      await client.eventSubscriptions.beginDeleteAndWait(AT_GROUP, 'mine', POLLING);
      await expect(client.eventSubscriptions.get(AT_GROUP, 'mine')).rejects.toMatchObject({ statusCode: 404 });
    });

    it('reads the group of a role in any spelling of the path', async () => {
      const path = `/subscriptions/${SUBSCRIPTION}/resourceGroups/sh%6Fp/providers/Vendor.EventGrid/eventSubscriptions/two`;
      const token = await ofMember(bench);
      const body = { properties: queue() };
      expect((await bench.call('PUT', `${path}?api-version=${VERSION}`, { token, body })).status).toBe(201);
      // An escaped slash in a scope counts as a slash, both for roles and for the parser of the scope: this is no group.
      const other = path.replace('sh%6Fp', 'shop%2Fother');
      // In a scope an escaped slash is a slash: this one names something below the group that is no resource.
      expect((await bench.call('PUT', `${other}?api-version=${VERSION}`, { token, body })).status).toBe(400);
      const foreign = path.replace('sh%6Fp', 'shop%2F..%2Fother');
      expect((await bench.call('PUT', `${foreign}?api-version=${VERSION}`, { token, body })).status).toBe(400);
      const another = path.replace('resourceGroups/sh%6Fp', 'resourceGroups%2Fother');
      expect((await bench.call('PUT', `${another}?api-version=${VERSION}`, { token, body })).status).toBe(403);
    });

    it('knows the topic of a role by any prefix of its provider, for management and for publishing', async () => {
      const token = await bench.jar.token({ user: 'delegated-admin' });
      for (const prefix of ['Vendor', 'Microsoft']) {
        const path = AT_TOPIC.replace('Microsoft', prefix);
        expect((await bench.call('GET', `${path}?api-version=${VERSION}`, { token })).status).toBe(200);
      }
      expect((await bench.call('GET', `${AT_TOPIC}2?api-version=${VERSION}`, { token })).status).toBe(403);
      const event = { id: '1', eventType: 'Order', subject: '/1', eventTime: '2030-01-01T00:00:00Z', data: {} };
      const published = await bench.call('POST', '/events/westus/orders/api/events', { token, body: [event] });
      expect([published.status, published.text]).toEqual([200, '']);
    });

    it('lets nobody poll who has no role in the subscription', async () => {
      const made = await http(bench).put('polled', queue());
      const address = made.headers.get('azure-asyncoperation') as string;
      const stranger = await bench.jar.token({ user: 'no-job-queue' });
      expect((await bench.call('GET', address, { token: stranger })).status).toBe(403);
      expect((await bench.call('GET', address, { token: await ofMember(bench) })).status).toBe(200);
    });
  },
  { ...OPTIONS, seed },
);

onAnyStore(
  'the gateway in front of event subscriptions',
  (bench) => {
    it('tells the address of an operation with its id in upper case, and the name of it in lower case', async () => {
      await makeGroup(bench);
      const made = await http(bench).put('polled', queue());
      const address = made.headers.get('azure-asyncoperation') as string;
      const [, id = ''] = /\/locations\/global\/operationsStatus\/([0-9A-F-]{36})\?/.exec(address) ?? [];
      expect(id).not.toBe('');
      const { body } = await bench.call('GET', address);
      expect(body).toMatchObject({ name: id.toLowerCase(), status: 'Succeeded' });
      const deleted = await http(bench).remove('polled');
      expect(deleted.headers.get('location')).toMatch(/\/operationResults\/[0-9A-F-]{36}\?/);
      expect((await bench.call('GET', deleted.headers.get('location') as string)).status).toBe(200);
    });

    it('leads those who ask for the result of an operation too early to where it will be', async () => {
      const silent = bench.jar.inbox('silent');
      await silent.respond({ handshake: 'manual' });
      const made = await http(bench).put('slow', hook(silent.httpsUrl));
      const address = made.headers.get('azure-asyncoperation') as string;
      const early = await bench.call('GET', address.replace('operationsStatus', 'operationResults'));
      expect(early.status).toBe(202);
      const location = early.headers.get('location') as string;
      expect((await bench.call('GET', location)).status).toBe(202);
      const [asked] = await silent.requests();
      await fetch(asked?.handshake?.url as string);
      expect((await bench.call('GET', location)).status).toBe(200);
    });

    it('tells how many requests the provider still takes', async () => {
      const header = 'x-ms-ratelimit-remaining-subscription-resource-requests';
      const left = async (method: string, path: string) =>
        Number(
          (await bench.call(method, path, method === 'PUT' ? { body: { properties: queue() } } : {})).headers.get(
            header,
          ),
        );
      const first = await left('GET', http(bench).path('none'));
      expect(first).toBeLessThan(900);
      expect(first).toBeGreaterThan(800);
      expect(await left('PUT', http(bench).path('counted'))).toBe(first - 1);
      expect(await left('GET', http(bench).path(''))).toBe(first - 2);
      expect(await left('DELETE', http(bench).path('counted'))).toBe(first - 3);
    });

    it('refuses with its own code when it takes no more', async () => {
      const admin = { token: null, headers: { authorization: `Bearer ${bench.jar.adminKey}` } };
      const limit = (change: object) =>
        bench.call('PATCH', '/_jar/limits', { ...admin, body: { name: 'events.requests', ...change } });
      expect((await limit({ size: 1, refillPerSecond: 0.1, mode: 'enforced' })).status).toBe(200);
      await http(bench).get('none');
      const refused = await http(bench).put('none', queue());
      expect([refused.status, refused.body.error.code]).toEqual([429, 'ResourceRequestsThrottled']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await limit({ size: null, refillPerSecond: null, mode: null })).status).toBe(200);
    });

    it('removes the subscriptions of a resource that is deleted by another spelling of its path', async () => {
      await makeWidget(bench);
      await http(bench, AT_WIDGET).put('worn', queue());
      await bench.jar.settled();
      await bench.call('DELETE', `${AT_WIDGET.replace('gear', 'ge%61r')}?api-version=2024-01-01`);
      await bench.jar.settled();
      await makeWidget(bench);
      expect((await http(bench, AT_WIDGET).get('worn')).status).toBe(404);
    });
  },
  OPTIONS,
);

it('makes no subscription for a group that has begun to go away meanwhile', async () => {
  const store = await openSqlite({ collections: [resourceGroups, resources] });
  const group = {
    name: 'shop',
    subscriptionId: SUBSCRIPTION,
    provisioningState: 'Deleting',
    tags: {},
  } as unknown as ResourceGroup;
  await store.transact((tx) => tx.put(resourceGroups, AT_GROUP.toLowerCase(), group));
  const place = { scope: AT_GROUP, scopeKey: AT_GROUP.toLowerCase() } as Place;
  const arm = { subscription: { subscriptionId: SUBSCRIPTION } as Subscription } as ArmFacts;
  const made = store.transact((tx) => lockParent(tx, {} as EventsJar, place, arm));
  await expect(made).rejects.toMatchObject({ status: 409, code: 'ResourceGroupBeingDeleted' });
  expect(await readParent({ store } as unknown as EventsJar, place, arm)).toMatchObject({ id: AT_GROUP });
  await store.close();
});
