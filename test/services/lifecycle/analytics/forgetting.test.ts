import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { customProperties, event, post } from '../sdk.ts';
import { administrator, makeApp } from '../support.ts';

onBothStores(
  'the use of an app',
  (bench) => {
    it('is forgotten after ninety days, and with it the devices that did not come back', async () => {
      const owner = await administrator(bench);
      const app = await makeApp(owner, 'memory');
      const ask = async (path: string) => (await owner.call('GET', `/apps/admin/memory/analytics${path}`)).body;
      const [stays, goes] = [randomUUID(), randomUUID()];
      await post(bench, app, goes, [event('E', { p: 'x' }), customProperties({ a: 1 })]);
      await post(bench, app, stays, [event('E', { p: 'x' }), customProperties({ a: 1 })]);
      await bench.jar.clock.advance('10d');
      await post(bench, app, stays, [event('E')]);
      const known = async () => ({
        total: (await ask('/events/E/event_count?start=1970-01-01')).total_count,
        values: (await ask('/events/E/properties/p/counts?start=1970-01-01')).total,
        devices: (
          await owner.call('POST', '/apps/admin/memory/analytics/audiences/definition/test', {
            definition: 'a eq 1',
            custom_properties: { a: 'number' },
          })
        ).body.estimated_total_count,
      });
      await bench.jar.clock.advance('80d');
      expect(await known()).toEqual({ total: 3, values: 2, devices: 2 });
      await bench.jar.clock.advance('1d');
      expect(await known()).toEqual({ total: 1, values: 0, devices: 1 });
      await bench.jar.clock.advance('10d');
      expect(await known()).toEqual({ total: 0, values: 0, devices: 0 });
    });
  },
  { clockStart: '2026-03-10T12:00:00.000Z' },
);
