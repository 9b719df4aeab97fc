import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { changeRecords } from '../../src/kernel/store/index.ts';
import { SERVICES } from '../../src/services.ts';
import { eventually } from '../support/eventually.ts';
import { JarProbe } from '../support/jar-probe.ts';
import { onBothStores, SUBSCRIPTION } from '../support/jars.ts';
import { type OpenedLive, openLive } from './live-support.ts';
import type { Shown } from './requests-support.ts';

const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const VERSION = 'api-version=2022-12-01';
const BATCHES = 30;
const BATCH = 100;
const BATCH_MS = 100;
const TICK_MS = 250;

const probe = new JarProbe();

onBothStores(
  'the live stream',
  (bench) => {
    const opened: OpenedLive[] = [];
    const open = async (seen?: string): Promise<OpenedLive> => {
      const live = await openLive(bench, seen);
      opened.push(live);
      return live;
    };
    const admin = (method: string, path: string, body?: unknown) =>
      bench.call(method, path, { token: bench.jar.adminKey, body });
    const getGroup = (name: string, headers: Record<string, string> = {}) =>
      bench.call('GET', `${GROUPS}/${name}?${VERSION}`, { headers });
    const putGroup = (name: string, headers: Record<string, string> = {}) =>
      bench.call('PUT', `${GROUPS}/${name}?${VERSION}`, { body: { location: 'westus' }, headers });
    afterEach(() => {
      for (const live of opened.splice(0)) live.close();
    });

    it('begins with the clock, the due work and the health, and counts from then on', async () => {
      await putGroup('before');
      const live = await open();
      const { mode, now } = (await admin('GET', '/_jar/clock')).body;
      expect(await live.next()).toMatchObject({
        ...{ now, mode, health: { status: 'ready' }, written: [] },
        requests: { count: 0, sample: [], ms: { p50: null } },
        changes: { count: 0, sample: [] },
        work: { parked: 0 },
      });
    });

    it('tells what was requested, with figures, a sample and the changes, and which lists were written', async () => {
      const live = await open();
      await live.next();
      await putGroup('told');
      await getGroup('told');
      await getGroup('missing');
      let newest: Shown;
      const { sums, frame } = await live.until(({ count, changes }, { requests }) => {
        newest = requests.sample[0] ?? newest;
        return count >= 3 && changes >= 1;
      });
      expect(sums).toMatchObject({ count: 3, failed: 1, dropped: 0, changes: 1, outbound: 0 });
      expect(sums.byStatus).toEqual({ '1xx': 0, '2xx': 2, '3xx': 0, '4xx': 1, '5xx': 0, none: 0 });
      expect([...sums.written]).toEqual([`${GROUPS}/told`]);
      expect(frame).not.toHaveProperty('stateReplaced');
      expect(newest).toEqual((await admin('GET', '/_jar/requests?$top=1')).body.value[0]);
      const records = (await admin('GET', `/_jar/changes?$orderby=cursor%20desc&$top=1`)).body.value;
      const resumed = await open(
        live.lastId().replace(/^(\w+\.\d+\.)\d+/, (_, start) => `${start}${Number(records[0].cursor) - 1}`),
      );
      expect((await resumed.next()).changes).toEqual({ count: 1, sample: records, subjects: [`${GROUPS}/told`] });
    });

    it('names no list as written after a request that was refused', async () => {
      const live = await open();
      await live.next();
      const path = `${GROUPS}/refused?${VERSION}`;
      expect((await bench.call('PUT', path, { body: { location: 17 } })).status).toBe(400);
      const { sums } = await live.until(({ failed }) => failed >= 1);
      expect([...sums.written]).toEqual([]);
    });

    it('counts a thousand requests a second exactly, in bounded frames', async () => {
      const live = await open();
      await live.next();
      await putGroup('busy');
      const told = live.until(({ count, changes }) => count === 1 + BATCHES * BATCH && changes === 1);
      const began = performance.now();
      for (let batch = 1; batch <= BATCHES; batch++) {
        // Not faster than answers arrive: a busy machine would run out of connections.
        const name = batch % 10 === 0 ? 'missing' : 'busy';
        await Promise.all([setTimeout(BATCH_MS), ...Array.from({ length: BATCH }, () => getGroup(name))]);
      }
      const { sums } = await told;
      expect(sums).toMatchObject({
        count: 1 + BATCHES * BATCH,
        failed: (BATCHES * BATCH) / 10,
        dropped: 0,
        changes: 1,
      });
      expect(sums.byStatus).toMatchObject({ '2xx': 1 + BATCHES * BATCH * 0.9, '4xx': BATCHES * BATCH * 0.1 });
      // Four a second at most.
      expect(sums.frames).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / TICK_MS) + 2);
    });

    it('resumes without counting anything twice, and leaves nothing out', async () => {
      const live = await open();
      await live.next();
      await putGroup('first');
      await live.until(({ count, changes }) => count === 1 && changes === 1);
      const seen = live.lastId();
      live.close();
      await putGroup('second');
      await getGroup('third');
      const resumed = await open(seen);
      const { sums } = await resumed.until(({ count, changes }) => count >= 2 && changes >= 1);
      expect(sums).toMatchObject({ count: 2, failed: 1, changes: 1, dropped: 0 });
      const again = await open(resumed.lastId());
      expect(await again.next()).toMatchObject({ requests: { count: 0 }, changes: { count: 0 } });
    });

    it('tells a client of another process everything of this one, and that the state may be another', async () => {
      await putGroup('restarted');
      const live = await open('abc123.999999.0.0.0.0');
      const frame = await live.next();
      expect(frame).toMatchObject({ stateReplaced: true, requests: { dropped: 0 } });
      const { store } = probe.jar;
      expect(frame.changes.count).toBe(await store.count(changeRecords));
      const kept = (await admin('GET', '/_jar/requests?$top=1000&direction=inbound')).body.value;
      expect(frame.requests.count).toBeGreaterThanOrEqual(Math.min(kept.length, 1000));
    });

    it.each(['17', 'a.b', `x.${'9'.repeat(30)}.1.1.1.1`, ''])(
      'refuses the place %j, which was not given out',
      async (id) => {
        await expect(openLive(bench, id)).rejects.toThrow(/400 .*BadEventId/);
      },
    );

    it('is for the holder of the admin key', async () => {
      expect((await bench.call('GET', '/_jar/live', { token: null })).status).toBe(401);
      expect((await bench.call('GET', '/_jar/live', { token: 'wrong-key' })).status).toBe(403);
    });

    it('leaves out what the console reads, but neither its failures nor what it writes', async () => {
      const console = { 'x-cloudjar-console': '1' };
      const live = await open();
      await live.next();
      await putGroup('console', console);
      await getGroup('console', console);
      await getGroup('absent', console);
      await getGroup('console');
      const { sums, frame } = await live.until(({ count }) => count >= 3);
      expect(sums).toMatchObject({ count: 3, failed: 1 });
      expect(sums.byStatus).toMatchObject({ '2xx': 2, '4xx': 1 });
      expect(frame.requests.sample[0]).toMatchObject({ method: 'GET', status: 200 });
      const shown = (await admin('GET', `/_jar/requests?path=*/resourceGroups/console`)).body.value;
      expect(shown.map(({ method }: { method: string }) => method)).toEqual(['GET', 'PUT']);
    });

    it('shows that the clock was advanced, even if nothing else happened', async () => {
      const live = await open();
      const { now } = await live.next();
      await bench.jar.clock.advance('2h');
      const { frame } = await live.until((_, frame) => Date.parse(frame.now) >= Date.parse(now) + 7_200_000);
      expect(Date.parse(frame.now)).toBe(bench.jar.clock.now().getTime());
      expect(frame).not.toHaveProperty('stateReplaced');
    });

    it('shows due work that was scheduled, and that it is done', async () => {
      const live = await open();
      const { work } = await live.next();
      const { store, clock } = probe.jar;
      const dueAt = clock.now() + 3_600_000;
      await store.transact((tx) => tx.schedule({ id: 'live', kind: 'test.live', dueAt, payload: null }));
      const told = await live.until((_, frame) => frame.work.waiting === work.waiting + 1);
      expect(Date.parse(told.frame.nextDue)).toBeLessThanOrEqual(dueAt);
      // No commit notice reports this.
      await store.transact((tx) => tx.cancel('live'));
      await live.until((_, frame) => frame.work.waiting === work.waiting);
    });

    it('tells that the state was replaced, by a reset and by a restored snapshot', async () => {
      await admin('PUT', '/_jar/snapshots/live');
      const live = await open();
      expect(await live.next()).not.toHaveProperty('stateReplaced');
      await bench.jar.reset();
      await live.until((_, frame) => frame.stateReplaced === true);
      await admin('POST', '/_jar/snapshots/live/restore');
      await live.until((_, frame) => frame.stateReplaced === true);
      const seen = live.lastId();
      await bench.jar.reset();
      const resumed = await open(seen);
      expect(await resumed.next()).toMatchObject({ stateReplaced: true });
      await admin('DELETE', '/_jar/snapshots/live');
    });

    it('tells when the health changes', async () => {
      const { health } = probe.jar;
      const live = await open();
      expect((await live.next()).health).toEqual({ status: 'ready' });
      const end = health.add({ name: 'part', optional: true, state: () => ({ ok: false, reason: 'it is away' }) });
      try {
        const troubles = [{ part: 'part', reason: 'it is away' }];
        const { frame } = await live.until((_, frame) => frame.health !== undefined);
        expect(frame.health).toEqual({ status: 'degraded', troubles });
      } finally {
        end();
      }
      await live.until((_, frame) => frame.health?.status === 'ready');
    });

    it('counts the same for fifty clients', async () => {
      const clients = await Promise.all(Array.from({ length: 50 }, () => open()));
      for (const client of clients) await client.next();
      for (let n = 0; n < 20; n++) await getGroup('missing');
      const all = await Promise.all(clients.map((client) => client.until(({ count }) => count >= 20)));
      for (const { sums } of all) expect(sums).toMatchObject({ count: 20, failed: 20, dropped: 0 });
      await eventually(() => expect(new Set(clients.map((client) => client.lastId())).size).toBe(1));
    });
  },
  { services: [...SERVICES, probe.service] },
);
