import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { onBothStores, type Reply, SUBSCRIPTION } from '../../support/jars.ts';
import { WIDGETS } from './widgets.ts';

const V = 'api-version=2025-04-01';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const WIDGET_BODY = { location: 'eastus', properties: { size: 1 } };
const CLIENTS = 64;
/** The full number takes PostgreSQL some time. */
const MOST = process.env.CLOUDJAR_SOAK ? 980 : 98;

onBothStores(
  'quotas of the management gateway',
  (bench) => {
    const control = (method: string, path: string, body?: unknown) =>
      bench.call(method, `/_jar/${path}`, { token: bench.jar.adminKey, body });
    const group = (name: string) => bench.call('PUT', `${GROUPS}/${name}?${V}`, { body: { location: 'eastus' } });
    const widgetPath = (at: string, name: string) =>
      `${GROUPS}/${at}/providers/Vendor.Test/widgets/${name}?api-version=2024-01-01`;
    const widget = (at: string, name: string) => bench.call('PUT', widgetPath(at, name), { body: WIDGET_BODY });
    const used = async (limit: string): Promise<number[]> => {
      const { body } = await control('GET', `limits?name=${limit}`);
      return body.value[0].use.map((each: { used: number }) => each.used);
    };
    beforeEach(() => bench.jar.reset());

    it('64 clients get exactly as many groups into a subscription as it may have, and the next is told why not', async () => {
      if (MOST !== 980) await control('PATCH', 'limits', { name: 'management.resource-groups', limit: MOST });
      const statuses: number[] = [];
      let next = 0;
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (next < MOST + 20) statuses.push((await group(`group-${next++}`)).status);
        }),
      );
      expect(statuses.filter((status) => status === 201)).toHaveLength(MOST);
      expect(statuses.filter((status) => status === 409)).toHaveLength(20);
      const refused = await group('one-more');
      const message = `would exceed the quota of '${MOST}'. The current resource group count is '${MOST}'`;
      expect(refused.body.error).toEqual({
        code: 'ResourceGroupQuotaExceeded',
        message: expect.stringContaining(message),
      });
      expect((await bench.call('GET', `${GROUPS}/one-more?${V}`)).status).toBe(404);
      expect(await used('management.resource-groups')).toEqual([MOST]);
    });

    it('a deleted group makes room once it is gone, and its resources with it', async () => {
      await control('PATCH', 'limits', { name: 'management.resource-groups', limit: 1 });
      await group('a');
      for (const name of ['x', 'y', 'z']) expect((await widget('a', name)).status).toBe(201);
      expect(await used('management.resources-of-type')).toEqual([3]);
      expect((await group('b')).status).toBe(409);
      expect((await bench.call('DELETE', `${GROUPS}/a?${V}`)).status).toBe(202);
      await bench.jar.settled();
      expect(await used('management.resource-groups')).toEqual([]);
      expect(await used('management.resources-of-type')).toEqual([]);
      expect((await group('b')).status).toBe(201);
    });

    it('counts resources by type and group, once each, and frees them on delete', async () => {
      await control('PATCH', 'limits', { name: 'management.resources-of-type', limit: 2 });
      await group('a');
      await group('b');
      expect((await widget('a', 'one')).status).toBe(201);
      expect((await widget('a', 'ONE')).status).toBe(200);
      expect((await widget('a', 'two')).status).toBe(201);
      const refused: Reply = await widget('A', 'three');
      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'ResourceQuotaExceeded' } } });
      expect(refused.body.error.message).toContain("quota of '2' resources of type 'Vendor.Test/widgets'");
      expect((await bench.call('GET', widgetPath('a', 'three'))).status).toBe(404);
      expect((await widget('b', 'three')).status).toBe(201);
      expect((await bench.call('DELETE', widgetPath('a', 'one'))).status).toBe(200);
      expect((await bench.call('DELETE', widgetPath('a', 'one'))).status).toBe(204);
      expect((await widget('a', 'three')).status).toBe(201);
      expect(await used('management.resources-of-type')).toEqual([2, 1]);
    });
  },
  { services: [...SERVICES, WIDGETS] },
);
