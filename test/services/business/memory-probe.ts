import type { MemoryProbe } from '../../support/memory-probe.ts';
import { control, openWebhooks } from './webhooks/support.ts';

/** Settings changed at run time, the companies of a tenant, and a subscription with opened secrets. */
export const probe: MemoryProbe = {
  service: 'business',
  async remember(bench) {
    await control(bench, 'PATCH', 'business/settings', { apiSubscriptionDelayTime: 500 });
    const hooks = await openWebhooks(bench);
    await hooks.make('customers', 'probe');
    await bench.call('POST', hooks.resource('customers'), { body: { displayName: 'Remembered' } });
    await bench.jar.clock.advance('30s');
  },
  async look(bench) {
    const hooks = await openWebhooks(bench);
    const { settings } = (await control(bench, 'GET', 'business/settings')).body;
    const customers = await bench.call('GET', `${hooks.resource('customers')}/$count`);
    const subscriptions = (await hooks.list()).body.value;
    const changes = (await control(bench, 'GET', 'business/changes')).body.value;
    return { company: hooks.companyId, settings, customers: customers.text, subscriptions, changes };
  },
};
