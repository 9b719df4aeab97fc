import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { deliveries, deliveryBodies } from '../../../src/kernel/delivery/records.ts';
import type { Receiver } from './receivers.ts';
import { HOUR, MINUTE, SECOND, type Sender, sending } from './sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [10 * SECOND] } as const;
const single: DeliveryPolicy = { ...base, name: 'test.single', concurrency: 1 };
const strict: DeliveryPolicy = {
  ...base,
  name: 'test.strict',
  concurrency: 2,
  schedule: [HOUR],
  circuit: { afterFailures: 1, probationMs: [30 * MINUTE] },
};

/** A receiver that blocks its first request until `letGo` is called. */
async function slowAtFirst(sender: Sender): Promise<{ receiver: Receiver; letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const receiver = await sender.receiver((_, response, count) => {
    if (count === 1) void promise.then(() => response.end());
    else response.end();
  });
  return { receiver, letGo: resolve };
}

sending('a prefetched delivery', [single, strict], (sender) => {
  test('is not sent after it was cancelled or removed', async () => {
    const { receiver, letGo } = await slowAtFirst(sender);
    const to = { policy: 'test.single', destination: 'one', url: receiver.url };
    const bodies = ['under way', 'taken back', 'removed', 'stays'];
    const ids = await sender.enqueue(...bodies.map((body) => ({ ...to, body, owner: body })));
    await expect.poll(() => receiver.received.length).toBe(1);
    const { store, delivery } = sender.jar;
    await store.transact(async (tx) => {
      await delivery.cancel(tx, { owner: 'taken back' });
      await delivery.remove(tx, (await tx.get(deliveries, ids[2] ?? ''))!);
    });
    letGo();
    await sender.settled();
    expect(receiver.bodies()).toEqual(['under way', 'stays']);
  });

  test('is sent only once if it is replayed before', async () => {
    const { receiver, letGo } = await slowAtFirst(sender);
    const to = { policy: 'test.single', destination: 'one', url: receiver.url };
    const ids = await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2' });
    await expect.poll(() => receiver.received.length).toBe(1);
    const { store, delivery } = sender.jar;
    await store.transact(async (tx) => delivery.replay(tx, (await tx.get(deliveries, ids[1] ?? ''))!));
    letGo();
    await sender.settled();
    expect(receiver.bodies()).toEqual(['1', '2']);
  });

  test('is not sent without its body when another node has removed both', async () => {
    const { receiver, letGo } = await slowAtFirst(sender);
    const to = { policy: 'test.single', destination: 'one', url: receiver.url };
    const ids = await sender.enqueue({ ...to, body: '1' }, { ...to, body: 'x'.repeat(20_000) });
    await expect.poll(() => receiver.received.length).toBe(1);
    await sender.jar.store.transact(async (tx) => {
      await tx.delete(deliveries, ids[1] ?? '');
      await tx.delete(deliveryBodies, ids[1] ?? '');
    });
    letGo();
    await sender.settled();
    expect(receiver.bodies()).toEqual(['1']);
  });

  test('is removed only if it is unchanged: one that was replayed meanwhile stays', async () => {
    const receiver = await sender.receiver();
    const [id = ''] = await sender.enqueue({ policy: 'test.single', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    const { store, delivery } = sender.jar;
    const ended = (await store.get(deliveries, id))!;
    await store.transact((tx) => delivery.replay(tx, ended));
    expect(await store.transact((tx) => delivery.remove(tx, ended))).toBe(false);
    await sender.settled();
    expect(receiver.received).toHaveLength(2);
  });

  test('goes out at once when replayed, though its destination was put on probation in the same turn', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const receiver = await sender.receiver((request, response, count) => {
      response.statusCode = request.body === 'slow' ? 404 : count > 2 ? 200 : 503;
      if (request.body === 'slow') void promise.then(() => response.end());
      else response.end();
    });
    const to = { policy: 'test.strict', destination: 'one', url: receiver.url };
    const [failing = ''] = await sender.enqueue({ ...to, body: 'failing' }, { ...to, body: 'slow' });
    await expect.poll(async () => (await sender.record(failing)).attempts).toBe(1);
    const { store, delivery } = sender.jar;
    await store.transact(async (tx) => delivery.replay(tx, (await tx.get(deliveries, failing))!));
    resolve();
    await sender.settled();
    expect(await sender.record(failing)).toMatchObject({ state: 'delivered', attempts: 2 });
  });
});
