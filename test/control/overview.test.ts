import { expect, it } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { event, makeTopic, publish, subscribe, webHook } from '../services/events/delivering/grid.ts';
import { JarProbe } from '../support/jar-probe.ts';
import { onBothStores, SUBSCRIPTION } from '../support/jars.ts';
import type { Shown } from './requests-support.ts';

const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const VERSION = 'api-version=2022-12-01';
const probe = new JarProbe();

onBothStores(
  'the overview',
  (bench) => {
    const admin = (method: string, path: string, body?: unknown) =>
      bench.call(method, path, { token: bench.jar.adminKey, body });
    const overview = async (query = ''): Promise<Shown> => {
      const answer = await admin('GET', `/_jar/overview${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const getGroup = (name: string) => bench.call('GET', `${GROUPS}/${name}?${VERSION}`);
    const totalOf = ({ series }: Shown, name: string): number =>
      series.points.reduce((sum: number, point: Shown) => sum + point[name], 0);

    it('shows the process, the clock, the health and the services', async () => {
      const status = (await admin('GET', '/_jar/status')).body;
      const shown = await overview();
      const { now, version, store, clock, startedAt, node, pid } = status;
      expect(shown).toMatchObject({ now, version, store, clock, startedAt, node, pid, health: { status: 'ready' } });
      expect(shown.memory.rss).toBeGreaterThan(shown.memory.heap);
      expect(shown.services.map(({ name }: Shown) => name)).toEqual(
        expect.arrayContaining(['resources', 'translator']),
      );
      expect((await overview()).eventLoop.p99).toBeGreaterThanOrEqual(0);
    });

    it('counts requests by time and by service, and is not among them', async () => {
      const before = await overview();
      await getGroup('missing');
      await bench.call('PUT', `${GROUPS}/there?${VERSION}`, { body: { location: 'westus' } });
      const after = await overview();
      expect(totalOf(after, 'count') - totalOf(before, 'count')).toBe(2);
      expect(totalOf(after, 'failed') - totalOf(before, 'failed')).toBe(1);
      const resources = ({ services }: Shown): Shown => services.find(({ name }: Shown) => name === 'resources');
      expect(resources(after).requests - resources(before).requests).toBe(2);
      expect(resources(after)).toMatchObject({ state: 'open', lastAt: expect.any(String) });
      const { series } = after;
      expect(series.points).toHaveLength(60);
      expect(series).toMatchObject({ bucketMs: 15_000, from: series.points[0].at });
      expect(series.points.filter(({ count }: Shown) => count > 0).at(-1).p50).toBeGreaterThan(0);
      for (const { p50, p99 } of [series.ms, resources(after)]) {
        expect(p50).toBeGreaterThan(0);
        expect(p99).toBeGreaterThanOrEqual(p50);
      }
      const [short] = (await overview('?minutes=1')).series.points;
      expect(Date.parse(series.points[59].at) - Date.parse(short.at)).toBeLessThan(90_000);
    });

    it.each(['0', '61', 'x', '1.5'])('refuses a series of %s minutes', async (minutes) => {
      const { status, body } = await admin('GET', `/_jar/overview?minutes=${minutes}`);
      expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'InvalidQuery', target: 'minutes' });
    });

    it('lists the last failures of requests and deliveries, the newest first', async () => {
      const topic = await makeTopic(bench, 'failing');
      const inbox = bench.jar.inbox('failing');
      await subscribe(bench, topic.id, 'failing', { destination: webHook(`${inbox.httpsUrl}/hook`) });
      await inbox.respond({ status: 503 });
      const before = await overview();
      await publish(bench, topic, event());
      await bench.jar.settled();
      for (let n = 0; n < 18; n++) await getGroup(`missing-${n}`);
      const after = await overview();
      const { requests } = after.failures;
      expect(requests).toHaveLength(20);
      expect(requests[0]).toMatchObject({ status: 404, path: expect.stringContaining('missing-17') });
      expect(requests.slice(18).map(({ direction }: Shown) => direction)).toContain('outbound');
      expect(totalOf(after, 'outboundFailed')).toBeGreaterThan(totalOf(before, 'outboundFailed'));
      expect(after.deliveries.failingDestinations).toBeGreaterThan(0);
      await bench.jar.reset();
    });

    it('counts due work by kind, and shows parked work with the reason', async () => {
      const { store, clock } = probe.jar;
      const now = clock.now();
      const item = { kind: 'test.overview', dueAt: now - 1000, payload: null };
      await store.transact(async (tx) => {
        await tx.schedule({ ...item, id: 'parked', dueAt: now - 2000 });
        await tx.schedule(item);
        await tx.schedule({ ...item, dueAt: now + 60_000 });
        await tx.schedule({ ...item, kind: 'test.later', dueAt: now + 60_000 });
      });
      const [claimed] = await store.work.claim({ kinds: [item.kind], now, limit: 1, leaseMs: 60_000 });
      await store.transact((tx) => tx.park(claimed!, 'it failed'));
      const { queues, failures } = await overview();
      const none = { waiting: 0, due: 0, leased: 0, parked: 0 };
      const of = (kind: string): Shown => queues.find((queue: Shown) => queue.kind === kind);
      const oldestDueAt = new Date(now - 1000).toISOString();
      expect(of('test.overview')).toEqual({ ...none, kind: item.kind, waiting: 2, due: 1, parked: 1, oldestDueAt });
      expect(of('test.later')).toMatchObject({ ...none, waiting: 1 });
      expect(failures.parkedWork).toMatchObject([{ id: 'parked', kind: 'test.overview', reason: 'it failed' }]);
      await bench.jar.reset();
      expect((await overview()).failures.parkedWork).toEqual([]);
    });

    it('shows the limits that are nearest to their end first', async () => {
      await bench.call('PUT', `${GROUPS}/first?${VERSION}`, { body: { location: 'westus' } });
      await getGroup('first');
      const limits = (await admin('GET', '/_jar/limits?name=management.resource-groups')).body.value;
      const [{ name, use }] = limits;
      const [quota] = use;
      expect(quota.used).toBeGreaterThan(0);
      await admin('PATCH', '/_jar/limits', { name, limit: quota.used });
      const shown = (await overview()).limits;
      expect(shown.length).toBeLessThanOrEqual(10);
      expect(shown[0]).toMatchObject({ name, used: quota.used, limit: quota.used, scope: quota.scope });
      const shares = shown.map(({ used, limit }: Shown) => used / limit);
      expect(shares).toEqual(shares.toSorted((a: number, b: number) => b - a));
      await bench.jar.reset();
    });

    it('is for the holder of the admin key', async () => {
      expect((await bench.call('GET', '/_jar/overview', { token: null })).status).toBe(401);
    });
  },
  { services: [...SERVICES, probe.service] },
);
