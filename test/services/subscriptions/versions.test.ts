import { beforeEach, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../../src/services/subscriptions/names.ts';
import { VERSIONS } from '../../../src/services/subscriptions/version-table.ts';
import { onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { ALIASES, Caller, errorOf, NEW } from './support.ts';

const SCOPE = '/billingAccounts/a/customers/c';
const OLD = ['2019-10-01-preview', '2020-09-01'];
const FULL = ['2021-10-01', '2024-08-01-preview', '2025-11-01-preview'];

it.each(RESOURCE_TYPES.filter(({ type }) => type.startsWith('Vendor.Subscription/')))(
  'the manifest names the versions of the table for $type',
  ({ type, apiVersions }) => {
    expect(apiVersions).toEqual(VERSIONS.of(type.slice(type.indexOf('/') + 1)).names);
  },
);

onAnyStore('the api-versions of aliases', (bench) => {
  const caller = new Caller(bench);
  const properties = { ...NEW, billingScope: SCOPE, resellerId: '1', additionalProperties: { tags: { a: 'b' } } };
  beforeEach(() => bench.jar.reset());

  it.each(OLD)('%s shows two members and no systemData, in all answers', async (version) => {
    const made = await caller.put('x', properties, { version });
    const shape = {
      id: `${ALIASES}/x`,
      name: 'x',
      type: 'Vendor.Subscription/aliases',
      properties: { subscriptionId: expect.any(String), provisioningState: 'Accepted' },
    };
    expect([made.status, made.body]).toEqual([201, shape]);
    expect((await caller.get('x', { version })).body).toEqual(shape);
    expect((await caller.call('admin', 'GET', ALIASES, { version })).body).toEqual({ value: [shape] });
    // Fields of the version are stored; additionalProperties is not one of them.
    expect((await caller.get('x')).body.properties).toMatchObject({ displayName: 'New', billingScope: SCOPE });
    expect((await caller.get('x')).body.properties.tags).toBeUndefined();
  });

  it.each(FULL)('%s shows everything', async (version) => {
    const { body } = await caller.put('x', properties, { version });
    expect(body.properties).toMatchObject({ ...NEW, billingScope: SCOPE, resellerId: '1', tags: { a: 'b' } });
    expect(body.systemData.createdByType).toBe('User');
  });

  it('2019-10-01-preview requires a billing scope and knows no reseller', async () => {
    const version = '2019-10-01-preview';
    const refused = await caller.put('x', NEW, { version });
    expect(refused).toMatchObject({ status: 400, body: errorOf('MissingParameter') });
    expect(refused.body.error.target).toBe('properties.billingScope');
    await caller.put('x', { ...NEW, billingScope: SCOPE, resellerId: 'none' }, { version });
    expect((await caller.get('x')).body.properties.resellerId).toBeUndefined();
  });

  it('2020-09-01 gives an existing subscription an alias without a display name, as the tool asks for it', async () => {
    const existing = { workload: 'Production', subscriptionId: SUBSCRIPTION };
    const reply = await caller.put('x', existing, { version: '2020-09-01' });
    expect([reply.status, reply.body.properties]).toEqual([
      200,
      { subscriptionId: SUBSCRIPTION, provisioningState: 'Succeeded' },
    ]);
    expect((await caller.put('y', existing)).body).toMatchObject(errorOf('MissingParameter'));
  });

  it('2020-09-01 names a subscription after its alias where there is no display name', async () => {
    await caller.put('nameless', { workload: 'Production' }, { version: '2020-09-01' });
    expect((await caller.get('nameless')).body.properties.displayName).toBe('nameless');
  });

  it('a version that was never published is refused by the gateway', async () => {
    const version = '2022-01-01';
    const reply = await caller.put('x', NEW, { version });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      error: { code: 'NoRegisteredProviderFound', message: expect.stringContaining("'aliases'") },
    });
    expect((await caller.call('admin', 'GET', ALIASES, { version })).body.error.code).toBe('InvalidResourceType');
    const policy = await caller.call('admin', 'GET', '/providers/Vendor.Subscription/policies/default', {
      version: '2020-09-01',
    });
    expect(policy.body.error.code).toBe('NoRegisteredProviderFound');
  });

  it('answers use the provider prefix of the request', async () => {
    const { body } = await caller.call('admin', 'PUT', ALIASES.replace('Vendor', 'Microsoft').concat('/x'), {
      body: { properties: NEW },
    });
    expect([body.id, body.type]).toEqual([
      '/providers/Microsoft.Subscription/aliases/x',
      'Microsoft.Subscription/aliases',
    ]);
  });
});
