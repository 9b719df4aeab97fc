import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/kernel/store/types.ts';
import type { PlainWork } from '../../support/whole-service.ts';
import { engines } from './engines.ts';
import { type Bench, bench, gate, noting, type Ran, START } from './harness.ts';

describe.each(engines)('$name: work without an end', ({ open }) => {
  let store: Store;
  let jar: Bench;

  beforeEach(async (context) => {
    store = await open(context);
  });

  afterEach(async () => {
    await jar.close();
    await store.close();
  });

  test('is never parked, however often it fails', async () => {
    const ran: Ran[] = [];
    const stubborn: PlainWork = {
      ...noting(ran, () => {
        throw new Error('out of order');
      }),
      maxAttempts: Number.POSITIVE_INFINITY,
    };
    jar = await bench({ store, handlers: { stubborn } });
    await jar.schedule({ kind: 'stubborn', dueAt: START, payload: null });
    await jar.advance('1d');
    expect(ran.length).toBeGreaterThan(20);
    expect(await store.work.stats()).toMatchObject({ waiting: 1, parked: 0 });
  });

  test('runs although its holders kept vanishing', async () => {
    const ran: Ran[] = [];
    await store.transact(async (tx) => {
      await tx.schedule({ id: 'w', kind: 'stubborn', dueAt: START, payload: null });
    });
    for (let i = 0; i < 30; i++) {
      const [item] = await store.work.claim({ kinds: ['stubborn'], now: START, limit: 1, leaseMs: 60_000 });
      await store.transact((tx) => tx.retry(item!, START, 'vanished'));
    }
    jar = await bench({
      store,
      handlers: { stubborn: { ...noting(ran), maxAttempts: Number.POSITIVE_INFINITY } },
    });
    await jar.worker.idle();
    expect(ran).toHaveLength(1);
  });

  test('is stopped by a pause, and continues afterwards', async () => {
    const { passed: begun, open: begin } = gate();
    let turns = 0;
    const endless: PlainWork = {
      async run(item, { store: inside, clock }, halt) {
        turns += 1;
        begin();
        if (turns === 1) await new Promise<void>((resolve) => halt.addEventListener('abort', () => resolve()));
        await inside.transact((tx) => tx.settle(item, async () => (turns === 1 ? clock.now() : undefined)));
      },
    };
    jar = await bench({ store, handlers: { endless } });
    await jar.schedule({ kind: 'endless', dueAt: START, payload: null });
    await begun;
    await jar.worker.pause();
    expect(turns).toBe(1);
    jar.worker.resume();
    await jar.worker.idle();
    expect(turns).toBe(2);
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0 });
  });
});
