import { describe, expect, test } from 'vitest';
import type { WorkItem } from '../../../src/kernel/store/types.ts';
import { runInSteps } from '../../../src/kernel/work/steps.ts';
import { engines } from './engines.ts';
import { bench } from './harness.ts';

describe.each(engines)('$name: a long task', ({ open }) => {
  test('goes through its steps, each until nothing is left of it', async (context) => {
    const store = await open(context);
    const done: string[] = [];
    const step = (name: string, times: number) => async () => {
      done.push(name);
      return --times > 0;
    };
    const jar = await bench({
      store,
      handlers: {
        a: {
          run: (item, { store, clock }, halt) =>
            runInSteps(item, { store, clock }, halt, [step('x', 2), step('y', 1), step('z', 3)]),
        },
      },
    });
    await jar.schedule({ kind: 'a', dueAt: jar.clock.now() + 1, payload: null });
    await jar.advance(1);
    expect(done.join('')).toBe('xxyzzz');
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0 });
    await jar.close();
    await store.close();
  });

  test('is postponed when all work stops, and continues later without counting a failure', async (context) => {
    const store = await open(context);
    const work = { id: 'one', kind: 'a', dueAt: 1, payload: { some: 'thing' } };
    await store.transact((tx) => tx.schedule(work));
    const claim = async (): Promise<WorkItem> =>
      (await store.work.claim({ kinds: ['a'], now: 2000, limit: 1, leaseMs: 60_000 }))[0] as WorkItem;
    const halt = new AbortController();
    let left = 5;
    const step = async (): Promise<boolean> => {
      left -= 1;
      if (left === 3) halt.abort();
      return left > 0;
    };
    const clock = { now: () => 2000 };
    await runInSteps(await claim(), { store, clock }, halt.signal, [step]);
    expect(left).toBe(3);
    const again = await claim();
    expect(again).toMatchObject({ ...work, dueAt: 2000, attempts: 0 });
    await runInSteps(again, { store, clock }, new AbortController().signal, [step]);
    expect(left).toBe(0);
    await store.close();
  });
});
