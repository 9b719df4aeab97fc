import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchLength } from '../../../src/kernel/delivery/batches.ts';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { answering } from './receivers.ts';
import { MINUTE, SECOND, sending } from './sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [MINUTE], concurrency: 1 } as const;
const prompt: DeliveryPolicy = { ...base, name: 'test.prompt', batch: { maxItems: 3, maxBytes: 20 } };
const windowed: DeliveryPolicy = {
  ...base,
  name: 'test.windowed',
  batch: { maxItems: 100, windowMs: 30 * SECOND },
  compose: (batch) => ({ url: batch[0]!.url, body: JSON.stringify({ value: batch.map((each) => Number(each.body)) }) }),
};

sending('a batch', [prompt, windowed], (sender) => {
  test('holds no more items and bytes than the policy says, in order, and one that is too large goes alone', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.prompt', destination: 'one', url: receiver.url };
    const bodies = ['1', '2', '3', '4', '"0123456789abcdefghijklmnop"', '5', '"0123456789"', '"0123456789"', '6'];
    await sender.enqueue(...bodies.map((body) => ({ ...to, body })));
    await sender.settled();
    expect(receiver.bodies()).toEqual([
      '[1,2,3]',
      '[4]',
      '["0123456789abcdefghijklmnop"]',
      '[5,"0123456789"]',
      '["0123456789",6]',
    ]);
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('waits for its window, and includes deliveries queued meanwhile', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.windowed', destination: 'one', url: receiver.url };
    await sender.enqueue({ ...to, body: '1' });
    await sender.running.advance('10s');
    await sender.enqueue({ ...to, body: '2' });
    await sender.running.advance('19s');
    await sender.enqueue({ ...to, body: '3' });
    expect(receiver.received).toHaveLength(0);
    await sender.running.advance('1s');
    expect(receiver.bodies()).toEqual(['{"value":[1,2,3]}']);
    await sender.enqueue({ ...to, body: '4' });
    await sender.running.advance('30s');
    expect(receiver.bodies()).toEqual(['{"value":[1,2,3]}', '{"value":[4]}']);
  });

  test('that fails is retried as a whole, and counts as an attempt of each delivery', async () => {
    const receiver = await sender.receiver(answering(503, 200));
    const to = { policy: 'test.windowed', destination: 'one', url: receiver.url };
    const ids = await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2' });
    await sender.running.advance('90s');
    expect(receiver.bodies()).toEqual(['{"value":[1,2]}', '{"value":[1,2]}']);
    for (const id of ids) expect(await sender.record(id)).toMatchObject({ state: 'delivered', attempts: 2 });
  });
});

const sizes = new Map<string, number>();
let broken: unknown;
const byDestination: DeliveryPolicy = {
  ...base,
  name: 'test.by-destination',
  async batch(destination) {
    if (broken) throw broken;
    return { maxItems: sizes.get(destination) ?? 1 };
  },
};

sending('a batch with rules per destination', [byDestination], (sender) => {
  const send = (destination: string, url: string) =>
    sender.enqueue(...['1', '2', '3', '4'].map((body) => ({ policy: byDestination.name, destination, url, body })));

  test('follows the current rules of its destination', async () => {
    broken = undefined;
    sizes.set('pairs', 2).set('all', 100);
    const receivers = [await sender.receiver(), await sender.receiver(), await sender.receiver()] as const;
    await send('pairs', receivers[0].url);
    await send('all', receivers[1].url);
    await send('single', receivers[2].url);
    await sender.settled();
    expect(receivers.map((receiver) => receiver.bodies())).toEqual([
      ['[1,2]', '[3,4]'],
      ['[1,2,3,4]'],
      ['[1]', '[2]', '[3]', '[4]'],
    ]);
    sizes.set('pairs', 3);
    await send('pairs', receivers[0].url);
    await sender.settled();
    expect(receivers[0].bodies().slice(2)).toEqual(['[1,2,3]', '[4]']);
  });

  test.each([
    ['throws', new Error('no idea'), 2],
    ['gives what is impossible', undefined, 0],
    ['gives what is no number', undefined, Number.NaN],
  ])('goes one by one when the policy %s', async (_what, error, size) => {
    broken = error;
    sizes.set('pairs', size);
    const receiver = await sender.receiver();
    await send('pairs', receiver.url);
    await sender.settled();
    expect(receiver.bodies()).toEqual(['[1]', '[2]', '[3]', '[4]']);
  });
});

test('however large the bodies are, a batch takes the most that fits, in order, and never none', () => {
  const property = fc.property(
    fc.array(fc.nat(50), { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 1, max: 10 }),
    fc.integer({ min: 1, max: 100 }),
    (sizes, maxItems, maxBytes) => {
      const waiting = sizes.map((bodyBytes) => ({ value: { bodyBytes } }));
      const rest = [...waiting];
      while (rest.length > 0) {
        const length = batchLength(rest, { maxItems, maxBytes });
        const bytes = (count: number) => rest.slice(0, count).reduce((sum, each) => sum + each.value.bodyBytes, 0);
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(maxItems);
        const fits = (count: number) => count <= Math.min(maxItems, rest.length) && bytes(count) <= maxBytes;
        expect(length === 1 || fits(length)).toBe(true);
        expect(fits(length + 1)).toBe(false);
        rest.splice(0, length);
      }
    },
  );
  fc.assert(property);
});
