import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { OTHER_SUBSCRIPTION, onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';
import { WIDGETS } from '../resources/widgets.ts';
import { Caller, errorOf, NOBODY } from './support.ts';

const GATEWAY = { version: '2022-12-01' };

onAnyStore(
  'the state of a subscription',
  (bench) => {
    const caller = new Caller(bench);
    const post = (
      action: string,
      { user = 'admin', id = SUBSCRIPTION, body = undefined as unknown, query = '' } = {},
    ) => caller.call(user, 'POST', `/subscriptions/${id}/providers/Vendor.Subscription/${action}${query}`, { body });
    const state = async () => (await caller.call('admin', 'GET', `/subscriptions/${SUBSCRIPTION}`, GATEWAY)).body.state;
    const putGroup = () =>
      caller.call('admin', 'PUT', `/subscriptions/${SUBSCRIPTION}/resourceGroups/g`, {
        ...GATEWAY,
        body: { location: 'eastus' },
      });
    beforeEach(() => bench.jar.reset());

    it('is Warned ten minutes after the first cancel, however often it is cancelled', async () => {
      expect(await post('cancel')).toMatchObject({ status: 200, body: { subscriptionId: SUBSCRIPTION } });
      await bench.jar.clock.advance('6m');
      expect((await post('cancel')).status).toBe(200);
      await bench.jar.clock.advance('4m');
      expect(await state()).toBe('Warned');
    });

    it('stays Enabled where the cancellation is withdrawn in time', async () => {
      await post('cancel');
      await bench.jar.clock.advance('9m');
      expect((await post('enable')).status).toBe(200);
      await bench.jar.clock.advance('365d');
      expect(await state()).toBe('Enabled');
      expect((await post('enable')).status).toBe(200);
    });

    it('goes from Warned back to Enabled and not to Disabled', async () => {
      await post('cancel');
      await bench.jar.clock.advance('10m');
      await post('enable');
      await post('enable');
      await bench.jar.clock.advance('10m');
      expect(await state()).toBe('Enabled');
      await bench.jar.clock.advance('365d');
      expect(await state()).toBe('Enabled');
    });

    it('follows the settings', async () => {
      await caller.control('PATCH', 'subscriptions/settings', {
        cancellationTime: 0,
        warnedTime: '1h',
        enablingTime: '1s',
      });
      await post('cancel');
      await bench.jar.settled();
      expect(await state()).toBe('Warned');
      await bench.jar.clock.advance('1h');
      expect(await state()).toBe('Disabled');
      await post('enable');
      await bench.jar.clock.advance('1s');
      expect(await state()).toBe('Enabled');
    });

    it('Disabled refuses writes and a cancel, and lets reads, deletes, rename and enable through', async () => {
      await putGroup();
      await post('cancel', { query: '?IgnoreResourceCheck=true' });
      await bench.jar.clock.advance('91d');
      const refused = await putGroup();
      expect(refused.status).toBe(409);
      expect(refused.body).toEqual({ error: { code: 'ReadOnlyDisabledSubscription', message: expect.any(String) } });
      expect(await post('cancel')).toMatchObject({ status: 409, body: errorOf('SubscriptionNotActive') });
      expect((await post('rename', { body: { subscriptionName: 'Off' } })).status).toBe(200);
      const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/g`;
      expect((await caller.call('admin', 'GET', group, GATEWAY)).status).toBe(200);
      expect((await caller.call('admin', 'DELETE', group, GATEWAY)).status).toBe(202);
      expect((await post('enable')).status).toBe(200);
    });

    it('cannot be cancelled while there are resources, unless that is to be ignored', async () => {
      await putGroup();
      const path = `/subscriptions/${SUBSCRIPTION}/resourceGroups/g/providers/Vendor.Test/widgets/w`;
      const body = { location: 'eastus', properties: { size: 1 } };
      await caller.call('admin', 'PUT', path, { version: '2024-01-01', body });
      expect(await post('cancel')).toMatchObject({ status: 409, body: errorOf('SubscriptionHasResources') });
      await bench.jar.clock.advance('1h');
      expect(await state()).toBe('Enabled');
      expect((await post('cancel', { query: '?ignoreresourcecheck=TRUE' })).status).toBe(200);
    });

    it.each([
      ['no name', {}, 'MissingParameter'],
      ['an empty name', { subscriptionName: '' }, 'MissingParameter'],
      ['a long name', { subscriptionName: 'x'.repeat(65) }, 'InvalidParameter'],
    ])('a rename with %s is refused', async (_title, body, code) => {
      expect(await post('rename', { body })).toMatchObject({ status: 400, body: errorOf(code) });
    });

    it.each(['cancel', 'enable', 'rename'])(
      '%s needs a role that may write, in the tenant of the subscription',
      async (action) => {
        const body = { subscriptionName: 'x' };
        for (const user of ['no-job-queue', 'delegated-admin'])
          expect((await post(action, { user, body })).body.error.code).toBe('AuthorizationFailed');
        expect((await post(action, { id: OTHER_SUBSCRIPTION, body })).status).toBe(401);
        expect((await post(action, { id: NOBODY, body })).body.error.code).toBe('SubscriptionNotFound');
      },
    );

    it('does not depend on the registration of the provider', async () => {
      const path = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Subscription/unregister`;
      expect((await caller.call('admin', 'POST', path, GATEWAY)).status).toBe(200);
      expect((await post('rename', { body: { subscriptionName: 'Free' } })).status).toBe(200);
    });

    it('leaves a change record whenever the clock changes it, by whoever asked for that', async () => {
      await caller.control('PATCH', 'subscriptions/settings', { warnedTime: '1h' });
      await post('cancel');
      await bench.jar.clock.advance('2h');
      const { body } = await caller.control('GET', "changes?$filter=source eq 'management'");
      const seen = body.value.map(
        ({ data }: { data: { operationName: string; caller: { name: string } } }) =>
          `${data.operationName} by ${data.caller.name}`,
      );
      expect(seen).toHaveLength(3);
      expect(new Set(seen)).toEqual(
        new Set([
          'Vendor.Subscription/cancel/action by admin@vendor.example',
          'Vendor.Resources/subscriptions/write by admin@vendor.example',
        ]),
      );
    });
  },
  { services: [...SERVICES, WIDGETS] },
);
