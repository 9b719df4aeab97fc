import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { onAnyStore } from '../../support/jars.ts';
import { Caller, errorOf, FOR_OTTO, GROUPS, LIN, NEW, NOBODY, OTHER_TENANT } from './support.ts';

const subscriptionPath = (id: string) => `/providers/Vendor.Subscription/subscriptions/${id}`;

onAnyStore(
  'a subscription for another owner',
  (bench) => {
    const caller = new Caller(bench);
    const status = (id: string, user = 'other') =>
      caller.call(user, 'GET', `${subscriptionPath(id)}/acceptOwnershipStatus`);
    const states = async (name: string) => {
      const { provisioningState, acceptOwnershipState } = (await caller.get(name)).body.properties;
      return [provisioningState, acceptOwnershipState];
    };
    beforeEach(() => bench.jar.reset());

    it('waits from the beginning, and has an absolute address at which to accept it', async () => {
      const { body } = await caller.put('gift', FOR_OTTO);
      expect(body.properties).toMatchObject({
        provisioningState: 'Accepted',
        acceptOwnershipState: 'Pending',
        acceptOwnershipUrl: `${bench.jar.url}${subscriptionPath(body.properties.subscriptionId)}/acceptOwnership`,
      });
      await bench.jar.clock.advance('1s');
      expect(await states('gift')).toEqual(['Pending', 'Pending']);
      expect((await caller.put('gift', FOR_OTTO)).status).toBe(201);
    });

    it('is accepted with 202 and an operation that ends with a link to it', async () => {
      const id = await caller.offered('gift');
      const accepted = await caller.accept(id);
      expect(accepted.status).toBe(202);
      expect(accepted.headers.get('retry-after')).toBe('8');
      const location = accepted.headers.get('location') ?? '';
      expect(location).toMatch(
        /^http:\/\/[^/]+\/providers\/Vendor\.Subscription\/subscriptionOperations\/[0-9a-f-]{36}\?api-version=2021-10-01$/,
      );
      const token = await bench.jar.token({ user: 'other' });
      const ended = await bench.call('GET', location, { token });
      expect(ended).toMatchObject({ status: 200, body: { subscriptionLink: `/subscriptions/${id}` } });
      expect(await bench.call('GET', location)).toMatchObject({
        status: 404,
        body: errorOf('SubscriptionOperationNotFound'),
      });
      expect(await states('gift')).toEqual(['Succeeded', 'Completed']);
      expect((await status(id)).body).toMatchObject({ acceptOwnershipState: 'Completed', displayName: 'Mine' });
      expect(await caller.accept(id)).toMatchObject({ status: 409, body: errorOf('OwnershipNotPending') });
    });

    it('can be accepted before it is provisioned, and is there when it is', async () => {
      const { subscriptionId } = (await caller.put('early', FOR_OTTO)).body.properties;
      const first = (await caller.accept(subscriptionId)).headers.get('location') ?? '';
      const token = await bench.jar.token({ user: 'other' });
      const running = await bench.call('GET', first, { token });
      expect(running.status).toBe(202);
      expect(running.headers.get('location')).toBe(first);
      // A second acceptance has no effect.
      expect((await caller.accept(subscriptionId)).headers.get('location')).toBe(first);
      await bench.jar.clock.advance('1s');
      expect((await bench.call('GET', first, { token })).status).toBe(200);
      await bench.jar.clock.advance('30d');
      expect(await states('early')).toEqual(['Succeeded', 'Completed']);
    });

    it('within a tenant waits for its owner, too; others are refused, and other tenants see nothing', async () => {
      const properties = { ...NEW, additionalProperties: { subscriptionOwnerId: LIN } };
      const id = await caller.offered('lins', properties);
      for (const user of ['admin', 'no-job-queue'])
        expect(await caller.accept(id, user)).toMatchObject({ status: 403, body: errorOf('Forbidden') });
      expect(await caller.accept(id, 'other')).toMatchObject({ status: 404, body: errorOf('SubscriptionNotFound') });
      expect((await status(id, 'admin')).status).toBe(200);
      expect((await status(id, 'licensed')).status).toBe(200);
      expect((await status(id, 'no-job-queue')).body).toMatchObject(errorOf('Forbidden'));
      expect((await status(id, 'other')).body).toMatchObject(errorOf('SubscriptionNotFound'));
      expect((await caller.accept(id, 'licensed')).status).toBe(202);
      await bench.jar.settled();
      const options = { version: '2022-12-01', body: { location: 'eastus' } };
      expect((await caller.call('licensed', 'PUT', `/subscriptions/${id}/resourceGroups/g`, options)).status).toBe(201);
    });

    it('is not there for the tenant that created it either: its creator only sees the status', async () => {
      const id = await caller.offered('gift');
      expect((await caller.accept(id, 'admin')).body).toMatchObject(errorOf('SubscriptionNotFound'));
      expect((await status(id, 'admin')).body).toMatchObject({ subscriptionTenantId: OTHER_TENANT });
      expect((await status(id, 'licensed')).body).toMatchObject(errorOf('SubscriptionNotFound'));
      const alias = await caller.put('again', { ...NEW, subscriptionId: id });
      expect(alias.body).toMatchObject(errorOf('SubscriptionNotFound'));
    });

    it('needs no acceptance if the caller is the owner', async () => {
      const id = await caller.made('own', NEW);
      expect((await status(id, 'admin')).body).toMatchObject(errorOf('SubscriptionNotFound'));
      expect((await caller.accept(id, 'admin')).body).toMatchObject(errorOf('SubscriptionNotFound'));
    });

    it('expires by the clock, and can then be asked for anew', async () => {
      const id = await caller.offered('gift');
      await bench.jar.clock.advance('6d23h');
      expect(await states('gift')).toEqual(['Pending', 'Pending']);
      await bench.jar.clock.advance('1h');
      expect(await states('gift')).toEqual(['Failed', 'Expired']);
      expect((await caller.get('gift')).body.error.code).toBe('OwnershipExpired');
      expect((await status(id)).body).toMatchObject({ acceptOwnershipState: 'Expired', provisioningState: 'Failed' });
      const late = await caller.accept(id);
      expect(late).toMatchObject({ status: 409, body: errorOf('OwnershipNotPending') });
      expect(late.body.message).toContain('Expired');
      expect((await caller.put('gift', FOR_OTTO)).status).toBe(201);
    });

    it('expires after the time that the settings say', async () => {
      await caller.control('PATCH', 'subscriptions/settings', { ownershipExpiration: '1h' });
      await caller.offered('gift');
      await bench.jar.clock.advance('1h');
      expect(await states('gift')).toEqual(['Failed', 'Expired']);
    });

    it.each([
      ['no display name', {}, 'MissingParameter'],
      ['an empty display name', { displayName: '' }, 'MissingParameter'],
      ['a tag with a slash', { displayName: 'x', tags: { 'a/b': '' } }, 'InvalidTag'],
    ])('is not accepted with %s', async (_title, properties, code) => {
      const id = await caller.offered('gift');
      expect(await caller.accept(id, 'other', properties)).toMatchObject({ status: 400, body: errorOf(code) });
      expect(await states('gift')).toEqual(['Pending', 'Pending']);
    });

    it('goes into the management group that its owner chooses, and waits again where that is gone by then', async () => {
      await caller.call('other', 'PUT', group('theirs'), { version: '2021-04-01', body: {} });
      const id = await caller.offered('gift');
      const properties = { displayName: 'x', managementGroupId: group('theirs') };
      expect((await caller.accept(id, 'other', properties)).status).toBe(202);
      await bench.jar.settled();
      expect((await caller.control('GET', `groups-for-tests/${OTHER_TENANT}/theirs`)).body).toEqual([id]);

      const { subscriptionId } = (await caller.put('second', FOR_OTTO)).body.properties;
      const location = (await caller.accept(subscriptionId, 'other', properties)).headers.get('location') ?? '';
      await caller.control('DELETE', `groups-for-tests/${OTHER_TENANT}/theirs`);
      await bench.jar.clock.advance('1s');
      const token = await bench.jar.token({ user: 'other' });
      expect(await bench.call('GET', location, { token })).toMatchObject({
        status: 409,
        body: errorOf('InvalidManagementGroupId'),
      });
      // The owner can choose another group, but not a deleted one.
      expect(await states('second')).toEqual(['Pending', 'Pending']);
      const gone = await caller.accept(subscriptionId, 'other', properties);
      expect(gone).toMatchObject({ status: 400, body: errorOf('InvalidManagementGroupId') });
      expect((await caller.accept(subscriptionId)).status).toBe(202);
      await bench.jar.settled();
      expect(await states('second')).toEqual(['Succeeded', 'Completed']);
    });

    it('of an unknown id is not there', async () => {
      expect((await caller.accept(NOBODY)).body).toMatchObject(errorOf('SubscriptionNotFound'));
      const operation = await caller.call('other', 'GET', `/providers/Vendor.Subscription/subscriptionOperations/x`);
      expect(operation).toMatchObject({ status: 404, body: errorOf('SubscriptionOperationNotFound') });
    });

    it('leaves a change record of the request and one of the acceptance, when both are done', async () => {
      const records = async () =>
        (await caller.control('GET', "changes?$filter=source eq 'management'")).body.value.map(
          ({ data }: { data: { operationName: string; status: string } }) => `${data.operationName} ${data.status}`,
        );
      const id = await caller.offered('gift');
      expect(await records()).toEqual([]);
      await caller.accept(id);
      await bench.jar.settled();
      expect((await records()).sort()).toEqual([
        'Vendor.Subscription/acceptOwnership/action Succeeded',
        'Vendor.Subscription/aliases/write Succeeded',
      ]);
    });
  },
  { services: [...SERVICES, GROUPS] },
);

function group(name: string): string {
  return `/providers/Vendor.Management/managementGroups/${name}`;
}
