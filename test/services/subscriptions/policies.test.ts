import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../support/jars.ts';
import { ADA, Caller, errorOf, FOR_OTTO, LIN, NEW, OTTO, seedFile } from './support.ts';

const POLICIES = '/providers/Vendor.Subscription/policies';
const ROLES = {
  resources: {
    subscriptions: [],
    roles: [
      { principalId: ADA, scope: '/', role: 'Owner' },
      { principalId: OTTO, scope: '/', role: 'Owner' },
      { principalId: LIN, scope: '/', role: 'Reader' },
    ],
  },
};

onAnyStore(
  'the policy of a tenant',
  (bench) => {
    const caller = new Caller(bench);
    const put = (body: unknown, user = 'admin') => caller.call(user, 'PUT', `${POLICIES}/default`, { body });
    const get = (user = 'admin') => caller.call(user, 'GET', `${POLICIES}/default`);
    beforeEach(() => bench.jar.reset());

    it('blocks nothing until it says so, and is the only one in the list', async () => {
      const { body } = await get();
      expect(body).toEqual({
        id: `${POLICIES}/default`,
        name: 'default',
        type: 'Vendor.Subscription/policies',
        properties: {
          policyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          blockSubscriptionsLeavingTenant: false,
          blockSubscriptionsIntoTenant: false,
          exemptedPrincipals: [],
        },
      });
      expect((await caller.call('admin', 'GET', POLICIES)).body).toEqual({ value: [body] });
      expect((await get('other')).body.properties.policyId).not.toBe(body.properties.policyId);
    });

    it('is replaced as a whole, and keeps who made it', async () => {
      await put({ blockSubscriptionsLeavingTenant: true, exemptedPrincipals: [ADA] });
      await bench.jar.clock.advance('1h');
      const { body } = await put({ BlockSubscriptionsIntoTenant: true });
      expect(body.properties).toMatchObject({
        blockSubscriptionsLeavingTenant: false,
        blockSubscriptionsIntoTenant: true,
        exemptedPrincipals: [],
      });
      expect(body.systemData.lastModifiedAt > body.systemData.createdAt).toBe(true);
      expect((await get()).body).toEqual(body);
      expect((await get('other')).body.properties.blockSubscriptionsIntoTenant).toBe(false);
    });

    it('is changed with a role at the root that may write, and read by everybody', async () => {
      for (const user of ['licensed', 'delegated-admin']) {
        expect(await put({}, user)).toMatchObject({ status: 403, body: { error: { code: 'AuthorizationFailed' } } });
        expect((await get(user)).status).toBe(200);
      }
    });

    it.each([
      ['a text for a switch', { blockSubscriptionsIntoTenant: 'yes' }, 'InvalidRequestContent'],
      ['a name for a principal', { exemptedPrincipals: ['ada'] }, 'InvalidParameter'],
    ])('refuses %s', async (_title, body, code) => {
      expect(await put(body)).toMatchObject({ status: 400, body: errorOf(code) });
    });

    it('keeps subscriptions from leaving, but for those whom it exempts', async () => {
      await put({ blockSubscriptionsLeavingTenant: true });
      expect(await caller.put('x', FOR_OTTO)).toMatchObject({
        status: 403,
        body: errorOf('SubscriptionsLeavingTenantBlocked'),
      });
      // Within the tenant, the subscription does not leave it.
      expect((await caller.put('own', { ...NEW, additionalProperties: { subscriptionOwnerId: LIN } })).status).toBe(
        201,
      );
      await put({ blockSubscriptionsLeavingTenant: true, exemptedPrincipals: [ADA.toUpperCase()] });
      expect((await caller.put('x', FOR_OTTO)).status).toBe(201);
    });

    it('keeps subscriptions from entering, but for owners whom it exempts', async () => {
      await put({ blockSubscriptionsIntoTenant: true }, 'other');
      expect(await caller.put('x', FOR_OTTO)).toMatchObject({
        status: 403,
        body: errorOf('SubscriptionsIntoTenantBlocked'),
      });
      await put({ blockSubscriptionsIntoTenant: true, exemptedPrincipals: [OTTO] }, 'other');
      expect((await caller.put('x', FOR_OTTO)).status).toBe(201);
    });

    it.each([
      ['admin', { blockSubscriptionsLeavingTenant: true }, 'SubscriptionsLeavingTenantBlocked'],
      ['other', { blockSubscriptionsIntoTenant: true }, 'SubscriptionsIntoTenantBlocked'],
    ])('of the tenant of %s counts when a subscription is accepted, too', async (user, policy, code) => {
      const id = await caller.offered('gift');
      await put(policy, user);
      expect(await caller.accept(id)).toMatchObject({ status: 403, body: errorOf(code) });
      await put({}, user);
      expect((await caller.accept(id)).status).toBe(202);
    });
  },
  { seed: seedFile(ROLES) },
);
