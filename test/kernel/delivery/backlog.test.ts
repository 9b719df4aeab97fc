import { afterEach, beforeEach, expect, it } from 'vitest';
import { Backlog } from '../../../src/kernel/delivery/backlog.ts';
import type { BoundPolicy } from '../../../src/kernel/delivery/bound-policy.ts';
import type { DeliveryContext } from '../../../src/kernel/delivery/context.ts';
import { type DeliveryRecord, deliveries } from '../../../src/kernel/delivery/records.ts';
import { openSqlite } from '../../../src/kernel/store/index.ts';
import type { Store } from '../../../src/kernel/store/types.ts';

const NOW = 1000;
const ordered: BoundPolicy = { name: 'test.ordered', service: 'test', schedule: [1], ordered: true };

let store: Store;
let backlog: Backlog;

beforeEach(async () => {
  store = await openSqlite({ collections: [deliveries] });
  const clock = { now: () => NOW };
  backlog = new Backlog({ clock, store } as unknown as DeliveryContext, ordered, 'one');
});
afterEach(() => store.close());

const queue = (key: string, dueAt: number): Promise<void> =>
  store.transact(async (tx) => {
    const record = { policy: ordered.name, destination: 'one', state: 'queued', ordered: true, dueAt, tries: 0 };
    await tx.put(deliveries, key, {
      ...record,
      service: 'test',
      createdAt: 0,
      history: [],
    } as unknown as DeliveryRecord);
  });

const keys = (): string[] => backlog.waiting.map(({ key }) => key);

it('in strict order, a waiting delivery blocks those behind it, however often the queue is read', async () => {
  await queue('1', NOW + 1);
  await queue('2', NOW);
  for (let look = 0; look < 3; look++) {
    await backlog.fill(1);
    expect(keys()).toEqual([]);
    expect(backlog.exhausted).toBe(true);
    backlog.lookAgain();
  }
  await queue('1', NOW);
  await backlog.fill(2);
  expect(keys()).toEqual(['1', '2']);
});

it('deliveries that were read already are not read again', async () => {
  await queue('1', NOW);
  await queue('2', NOW + 1);
  await backlog.fill(2);
  expect(backlog.take(1).map(({ key }) => key)).toEqual(['1']);
  backlog.lookAgain();
  await backlog.fill(1);
  expect(keys()).toEqual([]);
  await queue('2', NOW);
  backlog.lookAgain();
  await backlog.fill(1);
  expect(keys()).toEqual(['2']);
});
