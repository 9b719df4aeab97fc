import { describe, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { WIDGETS } from './widgets.ts';

const ROOT = `/subscriptions/${SUBSCRIPTION}`;
const V = 'api-version=2021-04-01';

onAnyStore(
  'providers',
  (bench) => {
    const get = async (path: string, version = V) => {
      const mark = path.includes('?') ? '&' : '?';
      return (await bench.call('GET', `${path}${mark}${version}`)).body;
    };
    const typeOf = async (namespace: string, wanted: string) =>
      (await get(`${ROOT}/providers/${namespace}`)).resourceTypes.find(
        (each: { resourceType: string }) => each.resourceType === wanted,
      );

    it('have documents that say what their types can do', async () => {
      const groups = await typeOf('Microsoft.ContainerInstance', 'containerGroups');
      expect(groups.capabilities).toBe('SystemAssignedResourceIdentity, SupportsTags, SupportsLocation');
      expect(groups.zoneMappings).toHaveLength(37);
      expect(groups.zoneMappings).toContainEqual({ location: 'East US', zones: ['1', '2', '3'] });
      expect(groups.locations).toContain('West Europe');
      for (const type of ['topics', 'domains'])
        expect((await typeOf('Microsoft.EventGrid', type)).capabilities).toBe(
          'CrossResourceGroupResourceMove, CrossSubscriptionResourceMove, SystemAssignedResourceIdentity, SupportsTags, SupportsLocation',
        );
      expect((await typeOf('Microsoft.EventGrid', 'eventSubscriptions')).capabilities).toBe('SupportsExtension');
      expect(await typeOf('Microsoft.Authorization', 'locks')).toEqual({
        resourceType: 'locks',
        locations: [],
        apiVersions: ['2020-05-01', '2017-04-01', '2016-09-01', '2015-01-01'],
        defaultApiVersion: '2020-05-01',
        capabilities: 'SupportsExtension',
      });
      expect((await typeOf('Microsoft.Resources', 'tags')).apiVersions.slice(0, 2)).toEqual([
        '2025-04-01',
        '2025-03-01',
      ]);
    });

    it('list the versions of every type with the newest first', async () => {
      for (const { namespace, resourceTypes } of (await get(`${ROOT}/providers`)).value)
        for (const { resourceType, apiVersions } of resourceTypes) {
          const days = apiVersions.map((version: string) => version.slice(0, 7));
          // The only list that the real gateway returns out of order.
          if (!apiVersions.includes('2014-02-26'))
            expect(days, `${namespace}/${resourceType}`).toEqual([...days].sort().reverse());
        }
    });

    it('are the same without a subscription, but for their registration', async () => {
      const one = await get(`${ROOT}/providers/Vendor.EventGrid`);
      expect(one).toMatchObject({ registrationState: 'Registered', registrationPolicy: 'RegistrationRequired' });
      const { registrationState: _of, ...others } = one;
      expect(await get('/providers/Vendor.EventGrid?$expand=metadata')).toEqual({
        ...others,
        id: '/providers/Vendor.EventGrid',
      });
      expect((await get('/providers')).value).toHaveLength((await get(`${ROOT}/providers`)).value.length);
      expect(one.authorization).toEqual({
        applicationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        roleDefinitionId: expect.any(String),
      });
      const [permission] = (await get(`${ROOT}/providers/Vendor.EventGrid/providerPermissions`)).value;
      expect(permission.applicationId).toBe(one.authorization.applicationId);
      const types = (await get(`${ROOT}/providers/Vendor.EventGrid/resourceTypes`)).value;
      expect(types.map((each: { resourceType: string }) => each.resourceType)).toEqual(
        one.resourceTypes.map((each: { resourceType: string }) => each.resourceType),
      );
    });

    it('of the gateway itself are free of registration', async () => {
      const free = await bench.call('POST', `${ROOT}/providers/Vendor.Authorization/unregister?${V}`);
      expect(free.body).toMatchObject({ registrationState: 'Registered', registrationPolicy: 'RegistrationFree' });
    });

    it('can be used while they are being registered, and not while that ends', async () => {
      const path = `${ROOT}/providers/Vendor.Test`;
      const state = async () => (await get(path)).registrationState;
      expect((await bench.call('POST', `${path}/unregister?${V}`)).body.registrationState).toBe('Unregistering');
      await expect.poll(state).toBe('Unregistered');
      const body = { thirdPartyProviderConsent: { consentToAuthorization: true } };
      expect((await bench.call('POST', `${path}/register?${V}`, { body })).body.registrationState).toBe('Registering');
      await expect.poll(state).toBe('Registered');
      expect((await bench.call('POST', `${path}/register?${V}`)).body.registrationState).toBe('Registered');
    });

    it('are registered at management groups by those who have a role there', async () => {
      const { tenantId } = (await get(ROOT)) as { tenantId: string };
      const path = `/providers/Vendor.Management/managementGroups/${tenantId}/providers/Vendor.EventGrid/register?${V}`;
      expect(await bench.call('POST', path)).toMatchObject({ status: 200, text: '' });
      const token = await bench.jar.token({ user: 'licensed' });
      expect((await bench.call('POST', path, { token })).status).toBe(403);
      expect((await bench.call('POST', path.replace(tenantId, 'none'))).status).toBe(403);
    });

    it('list what they can do, every one of them', async () => {
      for (const { namespace } of (await get('/providers')).value) {
        const reply = await bench.call('GET', `/providers/${namespace}/operations?${await versionOf(namespace)}`);
        expect(reply.status, namespace).toBe(200);
        expect(reply.body.value.length, namespace).toBeGreaterThan(0);
      }
      const names = (await get('/providers/Microsoft.Features/operations')).value.map(
        (each: { name: string }) => each.name,
      );
      expect(names).toContain('Microsoft.Features/providers/features/register/action');
    });

    it('are described by what they can do, by type', async () => {
      const path = '/providers/Microsoft.Authorization/providerOperations';
      const one = await get(`${path}/Microsoft.Test?$expand=resourceTypes`, 'api-version=2022-04-01');
      expect(one).toMatchObject({
        id: `${path}/Microsoft.Test`,
        name: 'Microsoft.Test',
        type: 'Microsoft.Authorization/providerOperations',
        displayName: 'Microsoft Test',
        resourceTypes: [{ name: 'widgets' }],
      });
      expect(one.resourceTypes[0].operations.map((each: { name: string }) => each.name)).toEqual([
        'Microsoft.Test/widgets/write',
        'Microsoft.Test/widgets/read',
        'Microsoft.Test/widgets/delete',
      ]);
      const all = await get(path, 'api-version=2022-04-01');
      expect(all.value).toHaveLength((await get('/providers')).value.length);
    });

    /** Providers with their own list require their own versions. */
    async function versionOf(namespace: string): Promise<string> {
      const { resourceTypes } = await get(`/providers/${namespace}`);
      const own = resourceTypes.find((each: { resourceType: string }) => each.resourceType === 'operations');
      return `api-version=${own?.apiVersions[0] ?? '2021-04-01'}`;
    }
  },
  { services: [...SERVICES, WIDGETS], namespace: ['Microsoft'] },
);

onAnyStore(
  'the checks of the gateway',
  (bench) => {
    const group = `${ROOT}/resourceGroups/checks`;

    it.each([
      ['MyFancyApp', 'Allowed'],
      ['office', 'Reserved'],
      ['office-hours', 'Allowed'],
      ['loginpage', 'Reserved'],
      ['mylogin', 'Allowed'],
      ['my-Windows-app', 'Reserved'],
    ])('say whether the name %s is free: %s', async (name, status) => {
      const body = { name, type: 'Vendor.Test/widgets' };
      const reply = await bench.call('POST', `/providers/Vendor.Resources/checkResourceName?${V}`, { body });
      expect(reply).toMatchObject({ status: 200, body: { ...body, status } });
    });

    it('refuse a resource with a reserved name', async () => {
      await bench.call('PUT', `${group}?${V}`, { body: { location: 'eastus' } });
      const body = { location: 'eastus', properties: { size: 1 } };
      const path = `${group}/providers/Vendor.Test/widgets/xbox?api-version=2024-01-01`;
      expect(await bench.call('PUT', path, { body })).toMatchObject({
        status: 400,
        body: { error: { code: 'ReservedResourceName', target: 'name' } },
      });
      expect((await bench.call('GET', path)).status).toBe(404);
    });

    it('refuse a check without a type', async () => {
      const reply = await bench.call('POST', `/providers/Vendor.Resources/checkResourceName?${V}`, {
        body: { name: 'x' },
      });
      expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequestContent' } } });
    });

    const zones = `${ROOT}/providers/Vendor.Resources/checkZonePeers?${V}`;

    it('compare the zones of subscriptions', async () => {
      const body = { location: 'West Europe', subscriptionIds: [`subscriptions/${SUBSCRIPTION}`] };
      expect((await bench.call('POST', zones, { body })).body).toEqual({
        subscriptionId: SUBSCRIPTION,
        location: 'westeurope',
        availabilityZonePeers: ['1', '2', '3'].map((zone) => ({
          availabilityZone: zone,
          peers: [{ subscriptionId: SUBSCRIPTION, availabilityZone: zone }],
        })),
      });
    });

    describe('refuse to compare', () => {
      it.each([
        ['a region without zones', { location: 'westus', subscriptionIds: [] }, 400, 'LocationWithoutZones'],
        ['what is no id', { location: 'eastus', subscriptionIds: ['x'] }, 400, 'InvalidSubscriptionId'],
        [
          'a subscription of another tenant',
          { location: 'eastus', subscriptionIds: ['20000000-0000-4000-8000-0000000000f1'] },
          404,
          'SubscriptionNotFound',
        ],
        [
          'too many',
          { location: 'eastus', subscriptionIds: Array(101).fill(SUBSCRIPTION) },
          400,
          'TooManySubscriptions',
        ],
      ])('%s', async (_what, body, status, code) => {
        const reply = await bench.call('POST', zones, { body });
        expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status, code });
      });
    });
  },
  { services: [...SERVICES, WIDGETS] },
);

onAnyStore('what official tools ask for and the jar does not have', (bench) => {
  const scope = `${ROOT}/resourceGroups/any`;
  it.each([
    ['GET', `${scope}/providers/Microsoft.Authorization/roleDefinitions?$filter=roleName eq 'Contributor'`],
    ['PUT', `${scope}/providers/Microsoft.Authorization/roleAssignments/${SUBSCRIPTION}?a=b`],
    ['GET', `${ROOT}/providers/Microsoft.Authorization/policyAssignments?a=b`],
    ['PUT', `${scope}/providers/Microsoft.Resources/deployments/d?a=b`],
    ['POST', `${scope}/providers/Microsoft.Resources/deployments/d/validate?a=b`],
    ['GET', '/providers/Microsoft.Authorization/roleDefinitions?a=b'],
  ])('is refused in one clear way: %s %s', async (method, path) => {
    await bench.call('PUT', `${scope}?${V}`, { body: { location: 'eastus' } });
    const reply = await bench.call(method, `${path}&api-version=2022-04-01`, {
      ...(method === 'PUT' && { body: { properties: {} } }),
    });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'NotPartOfJar' } } });
    expect(reply.body.error.message).toMatch(
      /^'Microsoft\.\w+\/\w+' is not part of this jar: .*docs\/services\/resources\.md\.$/,
    );
  });
});
