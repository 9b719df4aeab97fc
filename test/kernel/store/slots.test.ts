import { describe, expect, it } from 'vitest';
import { Slots } from '../../../src/kernel/store/postgres/slots.ts';
import { RequestOwners } from '../../../src/kernel/store/request-owners.ts';

const slots = (settings: { size?: number; queue?: number; longestWaitMs?: number }, askers = new RequestOwners()) =>
  new Slots({ size: 1, queue: 10, longestWaitMs: 60_000, askers, ...settings });

describe('the queue in front of the connections', () => {
  it('lets tasks run in the order in which they came', async () => {
    const queue = slots({ size: 2 });
    const order: number[] = [];
    const task = (n: number) =>
      queue.run(async () => {
        order.push(n);
        await new Promise((resolve) => setImmediate(resolve));
      });
    await Promise.all([task(1), task(2), task(3), task(4), task(5)]);
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses a task immediately if the queue is full', async () => {
    const queue = slots({ queue: 2 });
    const { promise: end, resolve } = Promise.withResolvers<string>();
    const others = [queue.run(() => end), queue.run(() => end), queue.run(() => end)];
    await expect(queue.run(async () => 'done')).rejects.toMatchObject({ code: 'BUSY' });
    resolve('done');
    expect(await Promise.all(others)).toEqual(['done', 'done', 'done']);
  });

  it('refuses a task that has waited too long, and gives the slot to the next', async () => {
    const queue = slots({ longestWaitMs: 0 });
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const first = queue.run(() => end);
    await expect(queue.run(async () => 'never')).rejects.toMatchObject({ code: 'BUSY' });
    resolve();
    await first;
    expect(await queue.run(async () => 'done')).toBe('done');
  });

  it('does not start a task whose client has disconnected while it waited', async () => {
    const askers = new RequestOwners();
    const queue = slots({}, askers);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const first = queue.run(() => end);
    const client = { gone: false };
    let begun = false;
    const left = askers.run(client, () =>
      queue.run(async () => {
        begun = true;
      }),
    );
    const next = queue.run(async () => 'done');
    client.gone = true;
    resolve();
    await first;
    await expect(left).rejects.toMatchObject({ code: 'ABANDONED' });
    expect([begun, await next]).toEqual([false, 'done']);
  });
});
