import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { OTHER_SUBSCRIPTION, onAnyStore, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import {
  ADA,
  ALIASES,
  Caller,
  errorOf,
  GROUPS,
  LIN,
  NEW,
  NOBODY,
  OTHER_TENANT,
  OTTO,
  type Properties,
  TENANT,
} from './support.ts';

const SCOPES = [
  '/billingAccounts/a/billingProfiles/p/invoiceSections/s',
  '/billingAccounts/a/customers/c',
  '/billingAccounts/1234567/enrollmentAccounts/7654321',
];

const more = (additionalProperties: Properties): Properties => ({ ...NEW, additionalProperties });

const REFUSED: readonly (readonly [
  title: string,
  properties: unknown,
  status: number,
  code: string,
  target?: string,
])[] = [
  ['no display name', { workload: 'Production' }, 400, 'MissingParameter', 'properties.displayName'],
  ['an empty display name', { ...NEW, displayName: '' }, 400, 'MissingParameter', 'properties.displayName'],
  ['a display name of 65 characters', { ...NEW, displayName: 'x'.repeat(65) }, 400, 'InvalidParameter'],
  ['no workload', { displayName: 'x' }, 400, 'MissingParameter', 'properties.workload'],
  ['an unknown workload', { ...NEW, workload: 'Play' }, 400, 'InvalidParameter', 'properties.workload'],
  ['no properties', null, 400, 'MissingParameter'],
  ['a number for a name', { ...NEW, displayName: 5 }, 400, 'InvalidRequestContent'],
  ['a subscription without display name', { subscriptionId: SUBSCRIPTION }, 400, 'MissingParameter'],
  ['a subscription id that is no GUID', { ...NEW, subscriptionId: 'x' }, 400, 'InvalidSubscriptionId'],
  ['a subscription that is not there', { ...NEW, subscriptionId: NOBODY }, 404, 'SubscriptionNotFound'],
  ['a subscription of another tenant', { ...NEW, subscriptionId: OTHER_SUBSCRIPTION }, 404, 'SubscriptionNotFound'],
  ['a reseller that is no number', { ...NEW, resellerId: 'abc' }, 400, 'InvalidParameter', 'properties.resellerId'],
  ...[
    'a/b',
    '/billingAccounts/a',
    'billingAccounts/a/customers/c',
    '/billingAccounts/a/customers/c/d',
    '/billingAccounts//customers/c',
    '/billingAccounts/a/billingProfiles/p',
    '/billingAccounts/a/billingProfiles/p/customers/c',
    '/providers/Other.Billing/billingAccounts/a/customers/c',
    '/providers/Vendor.Compute/billingAccounts/a/customers/c',
  ].map(
    (billingScope) =>
      [`the billing scope ${billingScope}`, { ...NEW, billingScope }, 400, 'InvalidBillingScope'] as const,
  ),
  ['an owner that is no GUID', more({ subscriptionOwnerId: 'x' }), 400, 'InvalidParameter'],
  ['an owner that is not there', more({ subscriptionOwnerId: NOBODY }), 400, 'InvalidSubscriptionOwnerId'],
  ['an owner of another tenant', more({ subscriptionOwnerId: OTTO }), 400, 'InvalidSubscriptionOwnerId'],
  ['another tenant without an owner', more({ subscriptionTenantId: OTHER_TENANT }), 400, 'MissingParameter'],
  [
    'a tenant that is not there',
    more({ subscriptionTenantId: NOBODY, subscriptionOwnerId: OTTO }),
    400,
    'InvalidSubscriptionTenantId',
  ],
  ['an unknown management group', more({ managementGroupId: group('none') }), 400, 'InvalidManagementGroupId'],
  ['the bare name of a group', more({ managementGroupId: 'team' }), 400, 'InvalidManagementGroupId'],
  [
    'a group of another tenant',
    more({ managementGroupId: group('team'), subscriptionTenantId: OTHER_TENANT, subscriptionOwnerId: OTTO }),
    400,
    'InvalidManagementGroupId',
  ],
  ['a tag with a slash in its name', more({ tags: { 'a/b': 'x' } }), 400, 'InvalidTag'],
];

function group(name: string): string {
  return `/providers/Vendor.Management/managementGroups/${name}`;
}

onAnyStore(
  'what an alias may say',
  (bench) => {
    const caller = new Caller(bench);
    beforeEach(async () => {
      await bench.jar.reset();
      await caller.control('PUT', `groups-for-tests/${TENANT}/team`);
    });

    for (const [title, properties, status, code, target] of REFUSED) {
      it(`refuses ${title} with ${code}, and creates nothing`, async () => {
        const reply = await caller.call('admin', 'PUT', `${ALIASES}/x`, { body: { properties } });
        expect(reply).toMatchObject({ status, body: errorOf(code) });
        expect(reply.body.message).toBe(reply.body.error.message);
        expect(reply.body.error).toMatchObject(target === undefined ? {} : { target });
        expect((await caller.get('x')).status).toBe(404);
      });
    }

    it.each(
      SCOPES.flatMap((scope) =>
        ['', '/providers/Vendor.Billing', '/providers/microsoft.billing'].map((p) => p + scope),
      ),
    )('the billing scope %s is accepted and repeated as it was sent', async (billingScope) => {
      const reply = await caller.put('paid', { ...NEW, billingScope, resellerId: '1234567' });
      expect(reply).toMatchObject({ status: 201, body: { properties: { billingScope, resellerId: '1234567' } } });
    });

    it.each(['a%2Fb', 'a.b', 'a%20b', 'x'.repeat(65), '%C3%A4'])('the name %s is forbidden', async (name) => {
      for (const method of ['PUT', 'GET', 'DELETE']) {
        const body = method === 'PUT' ? { properties: NEW } : undefined;
        const reply = await caller.call('admin', method, `${ALIASES}/${name}`, { body });
        expect(reply).toMatchObject({ status: 403, body: errorOf('Forbidden') });
      }
    });

    it('reads names of properties in any case, and ignores what it does not know', async () => {
      const body = { Properties: { DisplayName: 'Any', WORKLOAD: 'devtest', provisioningState: 'Failed', etc: 1 } };
      const reply = await caller.call('admin', 'PUT', `${ALIASES}/any`, { body });
      expect(reply).toMatchObject({ status: 201, body: { properties: { displayName: 'Any', workload: 'DevTest' } } });
    });

    it('answers 201 until the subscription is there, without headers to poll, and 200 from then on', async () => {
      const first = await caller.put('one', NEW);
      expect(first.status).toBe(201);
      expect(first.headers.get('location')).toBeNull();
      expect(first.headers.get('azure-asyncoperation')).toBeNull();
      expect(first.headers.get('x-ms-ratelimit-remaining-tenant-writes')).toMatch(/^\d+$/);
      expect((await caller.put('one', NEW)).status).toBe(201);
      await bench.jar.clock.advance('1s');
      const again = await caller.put('one', { ...NEW, displayName: 'Changed' });
      expect(again.status).toBe(200);
      expect(again.body.properties).toMatchObject({
        subscriptionId: first.body.properties.subscriptionId,
        displayName: 'New',
        provisioningState: 'Succeeded',
        subscriptionOwnerId: ADA,
        createdTime: first.body.properties.createdTime,
      });
    });

    it('refuses an alias that is for another subscription already', async () => {
      await caller.made('one');
      const reply = await caller.put('one', { ...NEW, subscriptionId: SUBSCRIPTION });
      expect(reply).toMatchObject({ status: 409, body: errorOf('AliasConflict') });
    });

    it('gives an existing subscription an alias only to those who have a role on it', async () => {
      const existing = { ...NEW, subscriptionId: SUBSCRIPTION };
      expect((await caller.put('theirs', existing, { user: 'delegated-admin' })).body).toMatchObject(
        errorOf('SubscriptionNotFound'),
      );
      const reply = await caller.put('mine', existing, { user: 'no-job-queue' });
      expect(reply).toMatchObject({
        status: 200,
        body: { properties: { subscriptionId: SUBSCRIPTION, displayName: 'Cloudjar', provisioningState: 'Succeeded' } },
      });
    });

    it('keeps the aliases of one caller from the others, but for those with a role at the root', async () => {
      await caller.put('lins', NEW, { user: 'licensed' });
      for (const method of ['PUT', 'GET', 'DELETE']) {
        const body = method === 'PUT' ? { properties: NEW } : undefined;
        const reply = await caller.call('no-job-queue', method, `${ALIASES}/lins`, { body });
        expect(reply.status).toBe(403);
        // An error of the gateway has one level.
        expect(reply.body).toEqual({ error: { code: 'AuthorizationFailed', message: expect.any(String) } });
      }
      expect((await caller.get('lins', { user: 'other' })).status).toBe(404);
      expect((await caller.get('lins')).body.properties.subscriptionOwnerId).toBe(LIN);
      const listed = async (user: string) => (await caller.call(user, 'GET', ALIASES)).body.value;
      expect(await listed('licensed')).toMatchObject([{ name: 'lins' }]);
      expect(await listed('admin')).toEqual([]);
    });

    it('pages through many aliases', async () => {
      for (let n = 0; n < 5; n++) await caller.put(`many-${n}`, NEW);
      const first = await caller.call('admin', 'GET', `${ALIASES}?$top=3`);
      expect(first.body.value).toHaveLength(3);
      const { body } = await bench.call('GET', first.body.nextLink);
      expect(body.value.map(({ name }: { name: string }) => name)).toEqual(['many-3', 'many-4']);
      expect(body.nextLink).toBeUndefined();
    });

    it('removes the alias and never the subscription, even while that is being made', async () => {
      const id = (await caller.put('gone', NEW)).body.properties.subscriptionId;
      const removed = await caller.call('admin', 'DELETE', `${ALIASES}/gone`);
      expect([removed.status, removed.text]).toEqual([200, '']);
      expect((await caller.call('admin', 'DELETE', `${ALIASES}/gone`)).status).toBe(204);
      await bench.jar.clock.advance('1s');
      expect((await caller.call('admin', 'GET', `/subscriptions/${id}`, { version: '2022-12-01' })).status).toBe(200);
      expect((await caller.get('gone')).status).toBe(404);
    });

    it('puts the subscription into the group that was asked for, else into the default, else into the root', async () => {
      const within = async (name: string) => (await caller.control('GET', `groups-for-tests/${TENANT}/${name}`)).body;
      const asked = await caller.made(
        'asked',
        more({ managementGroupId: '/providers/microsoft.management/managementgroups/TEAM' }),
      );
      expect((await caller.get('asked')).body.properties.managementGroupId).toBe(group('TEAM'));
      const root = await caller.made('root', more({ managementGroupId: group(TENANT) }));
      const none = await caller.made('none');
      await caller.control('PUT', `groups-for-tests/${TENANT}/landing`);
      await caller.control('PUT', `groups-for-tests/${TENANT}/landing/default`);
      const landed = await caller.made('landed');
      expect(await within('team')).toEqual([asked]);
      expect(await within('landing')).toEqual([landed]);
      expect(await within('root')).toEqual(expect.arrayContaining([root, none]));
    });

    it('fails with the reason if the group was deleted in the meantime, and can be repeated', async () => {
      await caller.put('late', more({ managementGroupId: group('team') }));
      await caller.control('DELETE', `groups-for-tests/${TENANT}/team`);
      await bench.jar.clock.advance('1s');
      const failed = (await caller.get('late')).body;
      expect(failed).toMatchObject({
        properties: { provisioningState: 'Failed' },
        error: { code: 'InvalidManagementGroupId', message: expect.stringContaining('team') },
      });
      const again = await caller.put('late', NEW);
      expect(again.status).toBe(201);
      expect(again.body.properties.subscriptionId).not.toBe(failed.properties.subscriptionId);
      await bench.jar.clock.advance('1s');
      expect((await caller.get('late')).body.properties.provisioningState).toBe('Succeeded');
    });

    it.each([
      ['a user', 'admin', {}, 'User', 'admin@vendor.example'],
      ['an application', 'app', {}, 'Application', 'Sample application'],
      [
        'a managed identity',
        'app',
        { xms_mirid: `/subscriptions/${SUBSCRIPTION}/x` },
        'ManagedIdentity',
        'Sample application',
      ],
      ['a key', 'app', { amr: 'key' }, 'Key', 'Sample application'],
    ])('says that %s has made it', async (_title, user, claims, type, name) => {
      const token = await bench.jar.token({ user, claims });
      const body = { properties: NEW };
      const reply = await bench.call('PUT', `${ALIASES}/made?api-version=2021-10-01`, { token, body });
      const at = bench.jar.clock.now().toISOString();
      expect(reply.body.systemData).toEqual({
        createdBy: name,
        createdByType: type,
        createdAt: at,
        lastModifiedBy: name,
        lastModifiedByType: type,
        lastModifiedAt: at,
      });
      expect(reply.body.properties.createdTime).toBe(at);
    });

    it('makes an application the owner of what it creates', async () => {
      const id = await caller.made('machine', NEW, 'delegated-admin');
      const path = `/subscriptions/${id}/resourceGroups/g`;
      const body = { location: 'eastus' };
      const options = { version: '2022-12-01', body };
      expect((await caller.call('delegated-admin', 'PUT', path, options)).status).toBe(201);
      expect((await caller.call('licensed', 'PUT', path, options)).status).toBe(403);
    });

    it('throttles creations apart from other writes, and says how long to wait', async () => {
      await caller.control('PATCH', 'limits', {
        name: 'subscriptions.creations',
        size: 2,
        refillPerSecond: 0.5,
        mode: 'enforced',
      });
      await caller.put('t1', NEW);
      await caller.put('t2', NEW);
      const refused = await caller.put('t3', NEW);
      expect(refused).toMatchObject({ status: 429, body: errorOf('TooManyRequests') });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await caller.put('t1', NEW)).status).toBe(201);
      expect((await caller.put('t4', { ...NEW, subscriptionId: SUBSCRIPTION })).status).toBe(200);
      await bench.jar.clock.advance(`${refused.headers.get('retry-after')}s`);
      expect((await caller.put('t3', NEW)).status).toBe(201);
    });

    it('takes as long as the settings say, also when they are changed', async () => {
      await caller.control('PATCH', 'subscriptions/settings', { provisioningTime: '1h' });
      await caller.put('slow', NEW);
      await bench.jar.clock.advance('59m');
      expect((await caller.get('slow')).body.properties.provisioningState).toBe('Accepted');
      await bench.jar.clock.advance('1m');
      expect((await caller.get('slow')).body.properties.provisioningState).toBe('Succeeded');
      await caller.control('PATCH', 'subscriptions/settings', { provisioningTime: 0 });
      await caller.put('quick', NEW);
      await bench.jar.settled();
      expect((await caller.get('quick')).body.properties.provisioningState).toBe('Succeeded');
    });

    it('needs a token and a version before anything else', async () => {
      expect(await bench.call('GET', `${ALIASES}?api-version=2021-10-01`, { token: null })).toMatchObject({
        status: 401,
        body: { error: { code: 'AuthenticationFailed' } },
      });
      const reply = await bench.call('PUT', `${ALIASES}/x`, { body: '{' });
      expect(reply.body).toEqual({ error: { code: 'MissingApiVersionParameter', message: expect.any(String) } });
      const malformed = await caller.call('admin', 'PUT', `${ALIASES}/x`, { body: '{' });
      expect(malformed).toMatchObject({ status: 400, body: errorOf('InvalidRequestContent') });
    });
  },
  { services: [...SERVICES, GROUPS] },
);

onBothStores('many requests at once', (bench) => {
  it('create one subscription for one name, and as many as there are names for others', async () => {
    const caller = new Caller(bench);
    const same = await Promise.all(Array.from({ length: 8 }, () => caller.put('same', NEW)));
    expect(new Set(same.map(({ body }) => body.properties.subscriptionId)).size).toBe(1);
    await Promise.all(Array.from({ length: 8 }, (_, n) => caller.put(`other-${n}`, NEW, { user: 'delegated-admin' })));
    await bench.jar.clock.advance('1s');
    const { body } = await caller.call('delegated-admin', 'GET', ALIASES);
    for (const { properties } of body.value) {
      const path = `/subscriptions/${properties.subscriptionId}`;
      // Each of them made its creator an owner, although all were created at once.
      expect((await caller.call('delegated-admin', 'GET', path, { version: '2022-12-01' })).status).toBe(200);
    }
    expect(body.value).toHaveLength(8);
  });
});
