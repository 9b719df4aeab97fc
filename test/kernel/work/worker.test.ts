import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Store, WorkItem } from '../../../src/kernel/store/types.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { eventually } from '../../support/eventually.ts';
import { engines } from './engines.ts';
import { type Bench, type BenchOptions, bench, effects, gate, noting, type Ran, START } from './harness.ts';

describe.each(engines)('$name: the worker', ({ open }) => {
  const open_: { bench?: Bench; store?: Store } = {};

  beforeEach(async (context) => {
    open_.store = await open(context);
  });

  async function start(options: Omit<BenchOptions, 'store'>): Promise<Bench> {
    open_.bench = await bench({ ...options, store: open_.store! });
    return open_.bench;
  }

  afterEach(async () => {
    await open_.bench?.close();
    await open_.store?.close();
  });

  test('runs what is due now at once on a virtual clock that stands still', async () => {
    const ran: Ran[] = [];
    const { schedule, worker } = await start({ handlers: { a: noting(ran) } });
    await schedule({ kind: 'a', dueAt: START, payload: 1 }, { kind: 'a', dueAt: START + 1, payload: 2 });
    await worker.idle();
    expect(ran).toEqual([{ kind: 'a', payload: 1, dueAt: START, at: START }]);
  });

  test('runs items of one kind one after another in due order', async () => {
    const ran: Ran[] = [];
    let running = 0;
    let most = 0;
    const a = noting(ran, async () => {
      most = Math.max(most, ++running);
      await pause(1);
      running -= 1;
    });
    const { schedule, worker } = await start({ handlers: { a } });
    await schedule(...[5, 3, 9, 1, 7, 3].map((ago, i) => ({ kind: 'a', dueAt: START - ago, payload: `${ago}/${i}` })));
    await worker.idle();
    expect(ran.map((each) => each.payload)).toEqual(['9/2', '7/4', '5/0', '3/1', '3/5', '1/3']);
    expect(most).toBe(1);
  });

  test('runs as many items of a kind at once as the kind allows, and no more', async () => {
    const doors = gate();
    let running = 0;
    let most = 0;
    const wide = {
      concurrency: 3,
      run: async () => {
        most = Math.max(most, ++running);
        await doors.passed;
        running -= 1;
      },
    };
    const { schedule, worker } = await start({ handlers: { wide } });
    await schedule(...Array.from({ length: 7 }, (_, i) => ({ kind: 'wide', dueAt: START, payload: i })));
    await eventually(() => expect(running).toBe(3));
    doors.open();
    await worker.idle();
    expect(most).toBe(3);
    expect(worker.runs).toBe(7);
  });

  test('lets a kind that is busy keep no other kind waiting', async () => {
    const door = gate();
    const ran: Ran[] = [];
    const slow = { run: () => door.passed };
    const { schedule, worker } = await start({ handlers: { slow, quick: noting(ran) } });
    await schedule(
      { kind: 'slow', dueAt: START - 2, payload: 1 },
      { kind: 'slow', dueAt: START - 1, payload: 2 },
      { kind: 'quick', dueAt: START, payload: 3 },
    );
    await eventually(() => expect(ran).toHaveLength(1));
    door.open();
    await worker.idle();
  });

  test('ends an item in the very transaction that has its effects', async () => {
    const seen: number[] = [];
    const count = {
      run: async (item: WorkItem) => {
        await bench_().store.transact(async (tx) => {
          const times = (await tx.get(effects, 'one'))?.value.times ?? 0;
          await tx.put(effects, 'one', { times: times + 1 });
          await tx.complete(item);
        });
        seen.push(await bench_().store.work.pending(START));
      },
    };
    const bench_ = (): Bench => open_.bench!;
    const { schedule, worker, store, lines } = await start({ handlers: { count } });
    await schedule({ kind: 'count', dueAt: START, payload: null });
    await worker.idle();
    expect(seen).toEqual([0]);
    expect((await store.get(effects, 'one'))?.value).toEqual({ times: 1 });
    expect(lines).toEqual([]);
  });

  test('ends an item that its handler did not end', async () => {
    const { schedule, worker, store } = await start({ handlers: { a: noting([]) } });
    await schedule({ kind: 'a', dueAt: START, payload: null });
    await worker.idle();
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0, parked: 0 });
  });

  test('keeps an item that its handler scheduled again under its own id', async () => {
    const again = {
      run: async (item: WorkItem) => {
        const dueAt = item.dueAt + 1000;
        await open_.store?.transact((tx) => tx.schedule({ kind: 'again', id: item.id, dueAt, payload: null }));
      },
    };
    const { schedule, worker, store } = await start({ handlers: { again } });
    await schedule({ kind: 'again', id: 'tick', dueAt: START, payload: null });
    await worker.idle();
    expect(await store.work.nextDue()).toBe(START + 1000);
    expect(worker.runs).toBe(1);
  });

  test('does not run an item that an earlier one has canceled', async () => {
    const ran: Ran[] = [];
    const a = noting(ran, async (item, jar) => {
      if (item.payload === 'first') await jar.store.transact((tx) => tx.cancel('second'));
    });
    const { schedule, worker } = await start({ handlers: { a } });
    await schedule(
      { kind: 'a', dueAt: START, payload: 'first' },
      { kind: 'a', dueAt: START, payload: 'second', id: 'second' },
    );
    await worker.idle();
    expect(ran.map((each) => each.payload)).toEqual(['first']);
  });

  test('does not take it for an error when an item is canceled while it runs', async () => {
    const outcomes: string[] = [];
    const a = {
      run: async (item: WorkItem) => {
        await open_.store?.transact((tx) => tx.cancel(item.id));
        await open_.store?.transact((tx) => tx.complete(item));
      },
    };
    const hooks = { finished: (_: string, outcome: string) => void outcomes.push(outcome) };
    const { schedule, worker, lines } = await start({ handlers: { a }, hooks });
    await schedule({ kind: 'a', dueAt: START, payload: null });
    await worker.idle();
    expect(outcomes).toEqual(['lost']);
    expect(lines.filter((line) => line.level !== 'debug')).toEqual([]);
  });

  test('keeps the lease of an item that runs for longer than a lease', async () => {
    const door = gate();
    let starts = 0;
    const slow = {
      run: async () => {
        starts += 1;
        await door.passed;
      },
    };
    const { schedule, worker, store } = await start({ handlers: { slow }, leaseMs: 900 });
    await schedule({ kind: 'slow', dueAt: START, payload: null });
    await eventually(() => expect(starts).toBe(1));
    const renew = vi.spyOn(store.work, 'renew');
    await vi.waitFor(() => expect(renew.mock.calls.length).toBeGreaterThan(4), { timeout: 120_000 });
    expect(await store.work.claim({ kinds: ['slow'], now: START, limit: 1, leaseMs: 1000 })).toEqual([]);
    door.open();
    await worker.idle();
    expect(starts).toBe(1);
  });

  test('ignores kinds without a handler and warns once', async () => {
    const unhandled: string[] = [];
    const store = open_.store!;
    await store.transact((tx) => tx.schedule({ kind: 'foreign', dueAt: START, payload: null }));
    await store.transact((tx) => tx.schedule({ kind: 'foreign', dueAt: START, payload: null }));
    const hooks = { unhandled: (kind: string) => void unhandled.push(kind) };
    open_.bench = await bench({ store, handlers: { a: noting([]) }, hooks });
    await eventually(() => expect(unhandled).toEqual(['foreign']));
    await open_.bench.worker.idle();
    expect(await open_.bench.advance('1h')).toEqual({ now: START + 3_600_000, fired: 0 });
    expect((await store.work.stats()).waiting).toBe(2);
    expect(open_.bench.lines.filter((line) => line.fields.kind === 'foreign')).toHaveLength(1);
  });

  test('pauses when no handler is running, and continues when resumed', async () => {
    const door = gate();
    const ran: Ran[] = [];
    const { schedule, worker, store } = await start({ handlers: { a: noting(ran, () => door.passed) } });
    await schedule({ kind: 'a', dueAt: START, payload: 1 }, { kind: 'a', dueAt: START, payload: 2 });
    await eventually(() => expect(ran).toHaveLength(1));
    let paused = false;
    const pausing = worker.pause().then(() => {
      paused = true;
    });
    await new Promise(setImmediate);
    expect(paused).toBe(false);
    door.open();
    await pausing;
    expect(await store.work.stats()).toMatchObject({ waiting: 1, leased: 0 });
    expect(ran).toHaveLength(1);
    worker.resume();
    await worker.idle();
    expect(ran).toHaveLength(2);
  });

  test('stops after the handlers that run, and leaves the rest for the next start', async () => {
    const door = gate();
    const ran: Ran[] = [];
    const { schedule, worker, store } = await start({ handlers: { a: noting(ran, () => door.passed) } });
    await schedule({ kind: 'a', dueAt: START, payload: 1 }, { kind: 'a', dueAt: START, payload: 2 });
    await eventually(() => expect(ran).toHaveLength(1));
    const stopping = worker.stop();
    door.open();
    await stopping;
    expect(await store.work.stats()).toMatchObject({ waiting: 1, leased: 0 });
    expect(ran).toHaveLength(1);
  });

  test('gives up on a handler that does not finish when it is stopped', async () => {
    const door = gate();
    const ran: Ran[] = [];
    const { schedule, worker, store } = await start({ handlers: { a: noting(ran, () => door.passed) } });
    await schedule({ kind: 'a', dueAt: START, payload: 1 });
    await eventually(() => expect(ran).toHaveLength(1));
    await worker.stop(10);
    expect(await store.work.stats()).toMatchObject({ leased: 1 });
    door.open();
  });

  test.each(['shifted', 'system'] as const)('waits on a %s clock for work that is due later', async (mode) => {
    const ran: Ran[] = [];
    const { schedule, clock } = await start({ handlers: { a: noting(ran) }, mode });
    const dueAt = clock.now() + 150;
    await schedule({ kind: 'a', dueAt: dueAt + 60, payload: 2 }, { kind: 'a', dueAt, payload: 1 });
    await vi.waitFor(() => expect(ran).toHaveLength(2), { timeout: 120_000 });
    expect(ran.map((each) => each.payload)).toEqual([1, 2]);
    for (const each of ran) expect(each.at).toBeGreaterThanOrEqual(each.dueAt);
  });

  test('asks the store for nothing while there is nothing to do', async () => {
    const { worker, store, schedule, clock } = await start({
      handlers: { a: noting([]) },
      mode: 'shifted',
      safetyPollMs: 1e6,
    });
    await schedule(
      { kind: 'a', dueAt: 0, payload: null },
      { kind: 'a', dueAt: clock.now() + 3_600_000, payload: null },
    );
    await worker.idle();
    const calls = (['claim', 'renew', 'nextDue', 'pending', 'kinds', 'stats'] as const).map((name) =>
      vi.spyOn(store.work, name),
    );
    await vi.waitFor(
      async () => {
        for (const call of calls) call.mockClear();
        await pause(300);
        expect(calls.map((call) => call.mock.calls.length)).toEqual([0, 0, 0, 0, 0, 0]);
      },
      { timeout: 120_000 },
    );
  });
});
