import { beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/kernel/settings/read.ts';
import { delayFor, hookedMaximum } from '../../../../src/services/business/hooks.ts';
import type { Settings } from '../../../../src/services/business/settings.ts';
import { BUSINESS_SETTINGS } from '../../../../src/services/business/settings-table.ts';
import { startJar } from '../../../../src/testing/index.ts';
import { onAnyStore, withJar } from '../benches.ts';
import { errorOf } from '../support.ts';
import { control, openWebhooks, type Webhooks } from './support.ts';

onAnyStore('the settings of webhooks at run time', (bench) => {
  let hooks: Webhooks;
  beforeEach(async () => {
    hooks ??= await openWebhooks(bench);
  });
  const settings = async () => (await control(bench, 'GET', 'business/settings')).body.settings;
  const change = (body: unknown) => control(bench, 'PATCH', 'business/settings', body);
  const lifeOf = ({ expirationDateTime }: { expirationDateTime: string }): number =>
    Date.parse(expirationDateTime) - bench.jar.clock.now().getTime();

  it('have the defaults of the real service initially', async () => {
    expect(await settings()).toMatchObject({
      apiSubscriptionExpiration: { value: 259_200_000, text: '3d', source: 'default' },
      apiSubscriptionDelayTime: { value: 30_000, text: '30s', source: 'default' },
      apiSubscriptionMaxNumberOfNotifications: { value: 1000, source: 'default' },
      apiSubscriptionNotificationUrlTimeout: { value: 5000 },
      apiSubscriptionSendingNotificationTimeout: { value: 30_000 },
      apiSubscriptionMaxNumberOfSubscriptions: { value: 200, source: 'default' },
      apiSubscriptionRetrySchedule: { value: [60_000, 60_000, 600_000, 6_000_000, 60_000_000, 21_600_000] },
      apiSubscriptionRetryWindow: { text: '1d12h' },
      onGetDelayTime: { value: null },
      onGetMaxNumberOfNotifications: { value: null },
    });
  });

  it('apply at once, in either spelling, until they are reset', async () => {
    const changed = await change({ ApiSubscriptionExpiration: '1h', apiSubscriptionDelayTime: 500 });
    expect(changed.status).toBe(200);
    expect(changed.body.settings).toMatchObject({
      apiSubscriptionExpiration: { value: 3_600_000, source: 'run time' },
      apiSubscriptionDelayTime: { value: 500, source: 'run time' },
    });
    const short = await hooks.make('customers', 'short');
    expect(lifeOf(short)).toBe(3_600_000);
    await change({ apiSubscriptionExpiration: '2.12:00:00' });
    const { body } = await hooks.renew(short.subscriptionId);
    expect(lifeOf(body)).toBe(2.5 * 86_400_000);
    await change({ apiSubscriptionExpiration: null, ApiSubscriptionDelayTime: null });
    expect(await settings()).toMatchObject({
      apiSubscriptionExpiration: { value: 259_200_000, source: 'default' },
      apiSubscriptionDelayTime: { value: 30_000, source: 'default' },
    });
    await hooks.remove(short.subscriptionId);
  });

  it.each([
    [{ colour: 'blue' }, 'NoSuchSetting', "'colour'"],
    [{ apiSubscriptionDelayTime: 'soon' }, 'BadSetting', 'is not a duration'],
    [{ apiSubscriptionDelayTime: -1 }, 'BadSetting', 'negative'],
    [{ apiSubscriptionDelayTime: '2d' }, 'BadSetting', 'must be from 0 to 86400000'],
    [{ apiSubscriptionExpiration: 0 }, 'BadSetting', 'must be from 1000'],
    [{ apiSubscriptionExpiration: true }, 'BadSetting', 'must be a number of milliseconds'],
    [{ apiSubscriptionMaxNumberOfNotifications: 0 }, 'BadSetting', 'from 1 to'],
    [{ apiSubscriptionMaxNumberOfNotifications: 1.5 }, 'BadSetting', 'whole number'],
    [{ apiSubscriptionMaxNumberOfSubscriptions: 'many' }, 'BadSetting', 'whole number'],
    [{ apiSubscriptionRetrySchedule: [] }, 'BadSetting', 'a list of 1 to 100'],
    [{ onGetDelayTime: [{ company: 5, value: 1 }] }, 'BadSetting', 'as text'],
    [{ onGetDelayTime: [{ company: 'x' }] }, 'BadSetting', 'must be a number of milliseconds'],
    [{ apiSubscriptionDelayTime: 1, ApiSubscriptionDelayTime: 2 }, 'BadSetting', 'given twice'],
    [{ apiSubscriptionExpiration: '1h', apiSubscriptionDelayTime: 'soon' }, 'BadSetting', 'is not a duration'],
  ])('are not changed by %j', async (body, code, message) => {
    const before = await settings();
    const reply = await change(body);
    expect([reply.status, reply.body.error]).toEqual([
      400,
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    ]);
    expect(await settings()).toEqual(before);
  });

  it('hold the number of subscriptions, which is one limit whoever changes it', async () => {
    await change({ ApiSubscriptionMaxNumberOfSubscriptions: 2 });
    const limit = await control(bench, 'GET', 'limits?name=business.subscriptions');
    expect(limit.body.value[0].inForce).toMatchObject({ limit: 2, mode: 'enforced' });
    const [one] = [await hooks.make('customers', 'most'), await hooks.make('vendors', 'most')];
    const wanted = { notificationUrl: hooks.inbox('one-too-many'), resource: hooks.resource('items') };
    expect(errorOf(await hooks.subscribe(wanted))).toMatchObject({
      status: 400,
      code: 'Application_DialogException',
      message: expect.stringContaining('There are 2 webhook subscriptions already'),
    });
    expect(await bench.jar.inbox('one-too-many').requests()).toEqual([]);
    // Renewals do not count as new subscriptions, and each tenant has its own count.
    expect((await hooks.renew(one.subscriptionId)).status).toBe(200);
    const others = await openWebhooks(bench, 'v2.0', await bench.jar.token({ user: 'other', ttl: '365d' }));
    expect((await others.make('customers', 'others')).subscriptionId).toBeDefined();
    await hooks.remove(one.subscriptionId);
    const replies = await Promise.all([1, 2, 3].map(() => hooks.subscribe(wanted)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    await control(bench, 'PATCH', 'limits', { name: 'business.subscriptions', limit: 3 });
    expect((await settings()).apiSubscriptionMaxNumberOfSubscriptions).toMatchObject({ value: 3, source: 'run time' });
    expect((await hooks.subscribe(wanted)).status).toBe(201);
    await change({ apiSubscriptionMaxNumberOfSubscriptions: null });
    expect((await settings()).apiSubscriptionMaxNumberOfSubscriptions).toMatchObject({ value: 200, source: 'default' });
  });

  it('make room again when a subscription expires', async () => {
    for (const { subscriptionId } of (await hooks.list()).body.value) await hooks.remove(subscriptionId);
    await change({ apiSubscriptionMaxNumberOfSubscriptions: 1 });
    await hooks.make('customers', 'room');
    await bench.jar.clock.advance('3d');
    await hooks.make('customers', 'room');
    await change({ apiSubscriptionMaxNumberOfSubscriptions: null });
  });
});

describe('the settings of webhooks in the configuration', () => {
  withJar(
    (bench) => {
      it('apply from the start, and are overridden by changes at run time', async () => {
        const hooks = await openWebhooks(bench);
        const { body } = await control(bench, 'GET', 'business/settings');
        expect(body.settings).toMatchObject({
          apiSubscriptionExpiration: { value: 7_200_000, source: 'configuration' },
          apiSubscriptionMaxNumberOfSubscriptions: { value: 1, source: 'configuration' },
          apiSubscriptionRetrySchedule: { value: [1000, 60_000] },
          onGetDelayTime: { value: 100 },
        });
        const made = await hooks.make('customers', 'configured');
        expect(Date.parse(made.expirationDateTime) - bench.jar.clock.now().getTime()).toBe(7_200_000);
        const wanted = { notificationUrl: hooks.inbox('configured'), resource: hooks.resource('items') };
        expect((await hooks.subscribe(wanted)).status).toBe(400);
        await control(bench, 'PATCH', 'business/settings', { apiSubscriptionMaxNumberOfSubscriptions: 2 });
        expect((await hooks.subscribe(wanted)).status).toBe(201);
        await bench.jar.reset();
        const after = await control(bench, 'GET', 'business/settings');
        expect(after.body.settings.apiSubscriptionMaxNumberOfSubscriptions).toMatchObject({
          value: 1,
          source: 'configuration',
        });
      });
    },
    {
      settings: {
        business: {
          ApiSubscriptionExpiration: '02:00:00',
          apiSubscriptionMaxNumberOfSubscriptions: 1,
          apiSubscriptionRetrySchedule: ['1s', 60_000],
          OnGetDelayTime: 100,
        },
      },
    },
  );

  it.each([
    [{ apiSubscriptionDelay: 5 }, 'apiSubscriptionDelay'],
    [{ apiSubscriptionExpiration: 'long' }, 'apiSubscriptionExpiration'],
    [{ ApiSubscriptionMaxNumberOfSubscriptions: -1 }, 'ApiSubscriptionMaxNumberOfSubscriptions'],
    [{ onGetDelayTime: 5, OnGetDelayTime: 6 }, 'given twice'],
    [{ onGetMaxNumberOfNotifications: [{ value: 0 }] }, 'onGetMaxNumberOfNotifications must be a whole number from 1'],
  ])('keep a jar from starting where they cannot be: %j', async (business, message) => {
    await expect(startJar({ settings: { business } })).rejects.toThrow(message);
  });
});

describe('the hooks of delay and maximum', () => {
  const of = (given: Record<string, unknown>) =>
    ({ ...BUSINESS_SETTINGS.defaults, ...readSettings(BUSINESS_SETTINGS, given).values }) as Settings;
  const customers = { companyId: 'c-1', companyName: 'Harbour', route: 'v2.0', set: 'customers' };
  const items = { ...customers, set: 'items' };

  it('override the settings if they are a number', () => {
    expect(delayFor(of({ onGetDelayTime: '2s' }), customers)).toBe(2000);
    expect(hookedMaximum(of({ OnGetMaxNumberOfNotifications: 5 }), customers)).toBe(5);
  });

  it('answer by company and resource if they are a table, and otherwise leave it to the settings', () => {
    const settings = of({
      onGetDelayTime: [
        { company: 'other', value: 1 },
        { company: 'HARBOUR', resource: 'v2.0/items', value: 2 },
        { resource: 'Customers', value: 3 },
      ],
    });
    expect([delayFor(settings, items), delayFor(settings, customers)]).toEqual([2, 3]);
    expect(delayFor(settings, { ...items, route: 'v1.0' })).toBe(30_000);
  });
});
