import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/kernel/store/types.ts';
import { retryDelay } from '../../../src/kernel/work/backoff.ts';
import { engines } from './engines.ts';
import { type Bench, bench, noting, type Ran, START } from './harness.ts';

const DELAYS = [1, 5, 30, 120, 600, 1800, 3600, 3600, 3600].map((seconds) => seconds * 1000);

test('the waits between tries grow to an hour and end after the tenth failure', () => {
  expect(Array.from({ length: 10 }, (_, i) => retryDelay(i + 1))).toEqual([...DELAYS, undefined]);
});

describe.each(engines)('$name: work that fails', ({ open }) => {
  let store: Store;
  let jar: Bench;

  beforeEach(async (context) => {
    store = await open(context);
  });

  afterEach(async () => {
    await jar.close();
    await store.close();
  });

  test('is retried by the clock with growing backoff, logged each time, and finally parked', async () => {
    const ran: Ran[] = [];
    const outcomes: string[] = [];
    const broken = noting(ran, () => {
      throw new Error('out of order');
    });
    const hooks = { finished: (_: string, outcome: string) => void outcomes.push(outcome) };
    jar = await bench({ store, handlers: { broken }, hooks });
    await jar.schedule({ kind: 'broken', dueAt: START, payload: null });
    const { fired } = await jar.advance('7d');
    const expected = [START];
    for (const delay of DELAYS) expected.push(expected.at(-1)! + delay);
    expect(ran.map((each) => each.at)).toEqual(expected);
    // The first attempt ran immediately, before or during the advance.
    expect(fired).toBeGreaterThanOrEqual(9);
    expect(outcomes).toEqual([...Array(9).fill('retried'), 'parked']);
    expect(jar.lines.map((line) => [line.level, line.fields.attempt])).toEqual(
      DELAYS.concat(0).map((_, i) => ['warn', i + 1]),
    );
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0, parked: 1 });
  });

  test('succeeds when a later try does', async () => {
    const ran: Ran[] = [];
    const shaky = noting(ran, () => {
      if (ran.length < 3) throw new Error('not yet');
    });
    jar = await bench({ store, handlers: { shaky } });
    await jar.schedule({ kind: 'shaky', dueAt: START, payload: null });
    await jar.advance('1h');
    expect(ran.map((each) => each.at - START)).toEqual([0, 1000, 6000]);
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0, parked: 0 });
  });

  test('is retried when its lease has expired, if the store could not record its end', async () => {
    const ran: Ran[] = [];
    let deaf = false;
    const transact: Store['transact'] = (body) =>
      deaf ? Promise.reject(new Error('the disk is full')) : store.transact(body);
    const shaky = noting(ran, () => {
      deaf = ran.length === 1;
    });
    const finished = (): void => {
      deaf = false;
    };
    jar = await bench({
      store: new Proxy(store, {
        get(target, name) {
          if (name === 'transact') return transact;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
      handlers: { shaky },
      hooks: { finished },
      leaseMs: 200,
    });
    await store.transact((tx) => tx.schedule({ kind: 'shaky', dueAt: START, payload: null }));
    await expect.poll(() => ran.length).toBe(2);
    await jar.worker.idle();
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0, parked: 0 });
  });

  test('is parked without another try when its holders kept vanishing', async () => {
    const ran: Ran[] = [];
    await store.transact((tx) => tx.schedule({ kind: 'poison', dueAt: START, payload: null }));
    for (let i = 0; i < 10; i += 1) {
      const [item] = await store.work.claim({ kinds: ['poison'], now: START, limit: 1, leaseMs: 1000 });
      await store.transact((tx) => tx.retry(item!, START, 'as a lease that ran out'));
    }
    jar = await bench({ store, handlers: { poison: noting(ran) } });
    await jar.worker.idle();
    expect(ran).toEqual([]);
    expect(await store.work.stats()).toMatchObject({ waiting: 0, parked: 1 });
  });
});
