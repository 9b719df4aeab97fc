import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Store, WorkItem } from '../../../src/kernel/store/types.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { mutexCollection } from '../../../src/kernel/work/turn.ts';
import { eventually } from '../../support/eventually.ts';
import { sharedPlaces } from './engines.ts';
import {
  type Bench,
  type BenchOptions,
  bench,
  effects,
  gate,
  noting,
  type Ran,
  START,
  scheduleAll,
} from './harness.ts';
import { openStore } from './open-store.ts';

const HOUR = 3_600_000;

describe.each(sharedPlaces)('$name: two nodes on one database', ({ create }) => {
  const ends: (() => Promise<unknown>)[] = [];

  let location: string;

  beforeEach(async (context) => {
    const place = await create(context);
    location = place.location;
    ends.push(place.remove);
  });

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function node(options: Omit<BenchOptions, 'store'>): Promise<Bench> {
    const store: Store = await openStore(location);
    ends.push(() => store.close());
    const jar = await bench({ safetyPollMs: 300, ...options, store });
    ends.push(() => jar.close());
    return jar;
  }

  test('share the work, each item run once, by either', async () => {
    const ran = { one: [] as string[], two: [] as string[] };
    const counting = (who: 'one' | 'two') => ({
      concurrency: 2,
      run: async (item: WorkItem) => {
        ran[who].push(String(item.payload));
        await pause(2);
      },
    });
    const one = await node({ handlers: { a: counting('one') }, node: 'one' });
    const two = await node({ handlers: { a: counting('two') }, node: 'two' });
    const ids = Array.from({ length: 200 }, (_, i) => `item-${i}`);
    await one.schedule(...ids.map((payload) => ({ kind: 'a', dueAt: START, payload })));
    await Promise.all([one.worker.idle(), two.worker.idle()]);
    expect([...ran.one, ...ran.two].sort()).toEqual(ids.toSorted());
    expect(ran.one.length).toBeGreaterThan(0);
    expect(ran.two.length).toBeGreaterThan(0);
  });

  test('share the shift of a shifted clock', async () => {
    const one = await node({ handlers: {}, mode: 'shifted', node: 'one' });
    const two = await node({ handlers: {}, mode: 'shifted', node: 'two' });
    const { now } = await one.advance('36h');
    await eventually(() => expect(two.clock.now()).toBeGreaterThanOrEqual(now));
    expect(two.clock.now() - now).toBeLessThan(HOUR);
  });

  test('advance in order of time, each item at its own time, on whichever node it runs', async () => {
    const ran: Ran[] = [];
    const again = noting(ran, async (item, jar) => {
      await pause(1);
      const left = Number(item.payload);
      if (left > 0) await scheduleAll(jar.store, [{ kind: 'a', dueAt: item.dueAt + HOUR, payload: left - 1 }]);
    });
    const one = await node({ handlers: { a: again }, node: 'one' });
    const two = await node({ handlers: { a: again }, node: 'two' });
    await one.schedule(...Array.from({ length: 20 }, (_, i) => ({ kind: 'a', dueAt: START + i * HOUR, payload: 2 })));
    const result = await two.advance('3d');
    expect(result.now).toBe(START + 72 * HOUR);
    expect(ran).toHaveLength(60);
    expect(ran.map((each) => each.at)).toEqual(ran.map((each) => each.dueAt));
    expect(ran.map((each) => each.dueAt)).toEqual(ran.map((each) => each.dueAt).toSorted((a, b) => a - b));
    await eventually(() => expect(one.clock.now()).toBe(result.now));
  });

  test('advance one after the other when both are asked at once', async () => {
    const ran: Ran[] = [];
    const handlers = { a: noting(ran, () => pause(5)) };
    const one = await node({ handlers, node: 'one' });
    const two = await node({ handlers, node: 'two' });
    await one.schedule(...[1, 2, 3, 4].map((hour) => ({ kind: 'a', dueAt: START + hour * HOUR, payload: hour })));
    const results = await Promise.all([one.advance('2h'), two.advance('2h')]);
    expect(Math.max(...results.map((each) => each.now))).toBe(START + 4 * HOUR);
    expect(ran.map((each) => each.at)).toEqual([1, 2, 3, 4].map((hour) => START + hour * HOUR));
  });

  test('wait for running work of the other node before time advances', async () => {
    const door = gate();
    const order: string[] = [];
    const one = await node({
      handlers: {
        slow: {
          run: async () => {
            order.push('slow begins');
            await door.passed;
            order.push('slow ends');
          },
        },
      },
      node: 'one',
    });
    const quick = { run: async () => void order.push('quick') };
    const two = await node({ handlers: { slow: { run: () => door.passed }, quick }, node: 'two' });
    await two.worker.pause();
    await one.schedule({ kind: 'slow', dueAt: START, payload: 1 });
    await eventually(() => expect(order).toEqual(['slow begins']));
    two.worker.resume();
    await one.schedule({ kind: 'quick', dueAt: START + HOUR, payload: 2 });
    const advancing = two.advance('2h');
    await pause(100);
    door.open();
    await advancing;
    expect(order).toEqual(['slow begins', 'slow ends', 'quick']);
  });

  test('go on when the one that advanced has vanished', async () => {
    const gone = await openStore(location);
    await gone.transact((tx) => tx.put(mutexCollection, 'advance', { node: 'gone', beat: 7 }));
    await gone.close();
    const one = await node({ handlers: {}, node: 'one' });
    expect(await one.advance('1h')).toEqual({ now: START + HOUR, fired: 0 });
  });

  test('abandon an advance that another node has taken over', async () => {
    const door = gate();
    const ran: Ran[] = [];
    const one = await node({ handlers: { a: noting(ran, () => door.passed) }, node: 'one' });
    await one.schedule({ kind: 'a', dueAt: START + HOUR, payload: null });
    const advancing = one.advance('2h');
    advancing.catch(() => {});
    await eventually(() => expect(ran).toHaveLength(1));
    await one.store.transact((tx) => tx.put(mutexCollection, 'advance', { node: 'two', beat: 1 }));
    await expect(advancing).rejects.toThrow('while it was advanced');
    expect(one.clock.now()).toBe(START + HOUR);
    door.open();
  });

  test('take over the items of a dead node', async () => {
    const gone = await openStore(location);
    await gone.transact((tx) => tx.schedule({ kind: 'a', dueAt: START, payload: null }));
    expect(await gone.work.claim({ kinds: ['a'], now: START, limit: 1, leaseMs: 400 })).toHaveLength(1);
    await gone.close();
    const ran: Ran[] = [];
    const one = await node({ handlers: { a: noting(ran) }, node: 'one' });
    await vi.waitFor(() => expect(ran).toHaveLength(1), { timeout: 120_000 });
    await one.worker.idle();
  });

  test('have effects once even when a lease runs out under a handler', async () => {
    const doors = [gate(), gate()];
    let starts = 0;
    const counted = (store: () => Store) => ({
      run: async (item: WorkItem) => {
        const door = doors[starts++];
        await door?.passed;
        await store().transact(async (tx) => {
          const times = (await tx.get(effects, 'one'))?.value.times ?? 0;
          await tx.put(effects, 'one', { times: times + 1 });
          await tx.complete(item);
        });
      },
    });
    const nodes: Bench[] = [];
    const one = await node({ handlers: { a: counted(() => nodes[0]!.store) }, node: 'one', leaseMs: 500 });
    nodes.push(one);
    // Simulates a node that cannot renew its leases, for example because its process is paused.
    vi.spyOn(one.store.work, 'renew').mockImplementation(async (items) => items.map((item) => item.id));
    await one.schedule({ kind: 'a', dueAt: START, payload: null });
    await eventually(() => expect(starts).toBe(1));
    nodes.push(await node({ handlers: { a: counted(() => nodes[1]!.store) }, node: 'two' }));
    await vi.waitFor(() => expect(starts).toBe(2), { timeout: 120_000 });
    for (const door of doors) door.open();
    await Promise.all(nodes.map((each) => each.worker.idle()));
    expect((await one.store.get(effects, 'one'))?.value).toEqual({ times: 1 });
  });
});
