import { ResourceManagementClient } from '@azure/arm-resources';
import { SubscriptionClient as DirectoryClient } from '@azure/arm-resources-subscriptions';
import { SubscriptionClient } from '@azure/arm-subscriptions';
import { expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';

const SECTION = '/providers/Microsoft.Billing/billingAccounts/acme/billingProfiles/main/invoiceSections/web';
const OTTO = { id: '20000000-0000-4000-8000-000000000011', tenant: '20000000-0000-4000-8000-000000000001' };

/** A complete user story of subscriptions with the official clients: only endpoint, credential and authority are set. */
onBothStores('a team gets subscriptions of its own', (bench) => {
  const as = (user: string) => ({
    getToken: async () => ({ token: await bench.jar.token({ user }), expiresOnTimestamp: Date.now() + 3_600_000 }),
  });
  const client = (user = 'admin') => new SubscriptionClient(as(user), { endpoint: bench.jar.httpsUrl });
  const directory = (user = 'admin') => new DirectoryClient(as(user), { endpoint: bench.jar.httpsUrl });
  const groups = (subscription: string, user = 'admin') =>
    new ResourceManagementClient(as(user), subscription, { endpoint: bench.jar.httpsUrl }).resourceGroups;
  const idsOf = async (user: string) =>
    (await Array.fromAsync(directory(user).subscriptions.list())).map(({ subscriptionId }) => subscriptionId);
  const stateOf = async () => (await directory().subscriptions.get(web)).state;
  let web = '';

  it('creates a subscription by an alias, which the client polls until it is there', async () => {
    const poller = await client().alias.beginCreate(
      'web',
      {
        properties: {
          displayName: 'Web',
          workload: 'DevTest',
          billingScope: SECTION,
          additionalProperties: { tags: { team: 'web' } },
        },
      },
      { updateIntervalInMs: 10 },
    );
    const accepted = await client().alias.get('web');
    expect(accepted).toMatchObject({
      id: '/providers/Microsoft.Subscription/aliases/web',
      name: 'web',
      type: 'Microsoft.Subscription/aliases',
      properties: { displayName: 'Web', provisioningState: 'Accepted', workload: 'DevTest', tags: { team: 'web' } },
      systemData: { createdBy: 'admin@vendor.example', createdByType: 'User' },
    });
    web = accepted.properties?.subscriptionId ?? '';
    await expect(directory().subscriptions.get(web)).rejects.toMatchObject({ code: 'SubscriptionNotFound' });
    expect(await idsOf('admin')).not.toContain(web);
    await bench.jar.clock.advance('1s');
    const made = await poller.pollUntilDone();
    expect(made.properties).toMatchObject({
      subscriptionId: web,
      provisioningState: 'Succeeded',
      billingScope: SECTION,
    });
    expect(made.properties?.acceptOwnershipState).toBeUndefined();
  });

  it('shows it as any other subscription, and it can hold groups', async () => {
    expect(await directory().subscriptions.get(web)).toMatchObject({
      displayName: 'Web',
      state: 'Enabled',
      tags: { team: 'web' },
      subscriptionPolicies: { quotaId: 'MSDNDevTest_2014-09-01', spendingLimit: 'Off' },
    });
    expect(await idsOf('admin')).toContain(web);
    expect(await groups(web).createOrUpdate('site', { location: 'westeurope' })).toMatchObject({ name: 'site' });
    const list = await client().alias.list();
    expect(list.value?.map(({ name }) => name)).toEqual(['web']);
  });

  it('creates only once for repeated requests, and never changes an existing alias', async () => {
    const again = await client().alias.beginCreateAndWait('WEB', {
      properties: { displayName: 'Other', workload: 'Production', billingScope: SECTION },
    });
    expect(again.properties).toMatchObject({ subscriptionId: web, displayName: 'Web', workload: 'DevTest' });
    const second = await client().alias.beginCreateAndWait('second', {
      properties: { displayName: 'x', subscriptionId: web },
    });
    expect(second.properties).toMatchObject({
      subscriptionId: web,
      displayName: 'Web',
      provisioningState: 'Succeeded',
    });
    await client().alias.delete('second');
    await client().alias.delete('second');
    await expect(client().alias.get('second')).rejects.toMatchObject({ statusCode: 404, code: 'AliasNotFound' });
    expect(await stateOf()).toBe('Enabled');
  });

  it('renames it at once', async () => {
    expect(await client().subscription.rename(web, { subscriptionName: 'Web shop' })).toEqual({ subscriptionId: web });
    expect((await directory().subscriptions.get(web)).displayName).toBe('Web shop');
  });

  it('cancels it by the clock until writes are refused, and brings it back', async () => {
    expect(await client().subscription.cancel(web)).toEqual({ subscriptionId: web });
    await bench.jar.clock.advance('9m');
    expect(await stateOf()).toBe('Enabled');
    await bench.jar.clock.advance('1m');
    expect(await stateOf()).toBe('Warned');
    await groups(web).createOrUpdate('site', { location: 'westeurope' });
    await expect(client().subscription.cancel(web)).rejects.toMatchObject({ code: 'SubscriptionNotActive' });
    await bench.jar.clock.advance('90d');
    expect(await stateOf()).toBe('Disabled');
    const refused = groups(web).createOrUpdate('more', { location: 'westeurope' });
    await expect(refused).rejects.toMatchObject({ statusCode: 409, code: 'ReadOnlyDisabledSubscription' });
    expect(await Array.fromAsync(groups(web).list())).toHaveLength(1);
    await client().subscription.rename(web, { subscriptionName: 'Old shop' });
    await client().subscription.enable(web);
    expect(await stateOf()).toBe('Disabled');
    await bench.jar.clock.advance('10m');
    expect(await directory().subscriptions.get(web)).toMatchObject({ state: 'Enabled', displayName: 'Old shop' });
    await groups(web).createOrUpdate('more', { location: 'westeurope' });
  });

  it('creates one for the owner of another tenant, who has to accept it', async () => {
    const { alias } = client();
    await alias.beginCreate('gift', {
      properties: {
        displayName: 'Gift',
        workload: 'Production',
        billingScope: SECTION,
        additionalProperties: { subscriptionOwnerId: OTTO.id, subscriptionTenantId: OTTO.tenant },
      },
    });
    await bench.jar.clock.advance('1s');
    const { properties } = await alias.get('gift');
    const gift = properties?.subscriptionId ?? '';
    expect(properties).toMatchObject({
      provisioningState: 'Pending',
      acceptOwnershipState: 'Pending',
      acceptOwnershipUrl: `${bench.jar.httpsUrl}/providers/Microsoft.Subscription/subscriptions/${gift}/acceptOwnership`,
    });
    for (const user of ['admin', 'other']) {
      expect(await idsOf(user)).not.toContain(gift);
      await expect(directory(user).subscriptions.get(gift)).rejects.toMatchObject({ statusCode: 404 });
    }
    expect(await client('other').subscription.acceptOwnershipStatus(gift)).toEqual({
      subscriptionId: gift,
      acceptOwnershipState: 'Pending',
      provisioningState: 'Pending',
      billingOwner: 'admin@vendor.example',
      subscriptionTenantId: OTTO.tenant,
      displayName: 'Gift',
    });
    await client('other').subscription.beginAcceptOwnershipAndWait(gift, {
      properties: { displayName: 'Mine', tags: { from: 'ada' } },
    });
    expect((await alias.get('gift')).properties).toMatchObject({
      provisioningState: 'Succeeded',
      acceptOwnershipState: 'Completed',
      displayName: 'Gift',
    });
    expect(await directory('other').subscriptions.get(gift)).toMatchObject({
      displayName: 'Mine',
      tenantId: OTTO.tenant,
      tags: { from: 'ada' },
    });
    await groups(gift, 'other').createOrUpdate('mine', { location: 'westeurope' });
    expect(await idsOf('admin')).not.toContain(gift);
    await expect(directory().subscriptions.get(gift)).rejects.toMatchObject({
      code: 'InvalidAuthenticationTokenTenant',
    });
  });

  it('serves the other operations of the client', async () => {
    const policy = { blockSubscriptionsLeavingTenant: true, exemptedPrincipals: [OTTO.id] };
    const { subscriptionPolicy, operations, billingAccount } = client();
    expect((await subscriptionPolicy.addUpdatePolicyForTenant(policy)).properties).toMatchObject(policy);
    expect((await subscriptionPolicy.getPolicyForTenant()).properties).toMatchObject(policy);
    expect(await Array.fromAsync(subscriptionPolicy.listPolicyForTenant())).toHaveLength(1);
    const names = (await Array.fromAsync(operations.list())).map(({ name }) => name);
    expect(names).toContain('Microsoft.Subscription/aliases/write');
    await expect(billingAccount.getPolicy('acme')).rejects.toMatchObject({ code: 'BillingAccountNotFound' });
  });
});
