import { expect, test } from 'vitest';
import type { DeliveryContext } from '../../../src/kernel/delivery/context.ts';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { DeliveryQueue } from '../../../src/kernel/delivery/queue.ts';
import { deliveries } from '../../../src/kernel/delivery/records.ts';
import { Retention } from '../../../src/kernel/delivery/retention.ts';
import { HOUR, SECOND, sending } from './sender.ts';

const plain: DeliveryPolicy = { name: 'test.plain', service: 'sender', plainHttp: true, schedule: [SECOND] };

sending('the number of ended deliveries', [plain], (sender) => {
  test('is bounded: delivered ones go first, the oldest before the others, and queued ones never', async () => {
    const { store, clock } = sender.jar;
    const states = [
      'queued',
      'dead-lettered',
      'delivered',
      'dropped',
      'delivered',
      'cancelled',
      'delivered',
      'queued',
    ] as const;
    await store.transact(async (tx) => {
      for (const [i, state] of states.entries()) {
        const record = { policy: 'none', service: 's', destination: 'd', address: 'a', body: '', bodyBytes: 0 };
        const times = { createdAt: clock.now(), dueAt: clock.now() + HOUR, endedAt: clock.now() };
        await tx.put(deliveries, `id-${i}`, { ...record, ...times, state, attempts: 1, tries: 1, history: [] });
      }
    });
    // The part of the context that retention uses.
    const context = { store, clock } as DeliveryContext;
    const limits = { mostKept: 3, everyEnds: 1 };
    const retention = new Retention(context, new DeliveryQueue(context), limits);
    retention.ended();
    await retention.tidy();
    expect((await sender.records()).map(({ value }) => value.state)).toEqual([
      'queued',
      'dead-lettered',
      'dropped',
      'cancelled',
      'queued',
    ]);
    const more = new Retention(context, new DeliveryQueue(context), { ...limits, mostKept: 1 });
    more.ended();
    await more.tidy();
    expect((await sender.records()).map(({ value }) => value.state)).toEqual(['queued', 'dead-lettered', 'queued']);
  });
});
