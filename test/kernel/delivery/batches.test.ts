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

  test('waits for its window, and takes along what came while it waited', async () => {
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

  test('that fails is tried again as a whole, and counts as an attempt of each', async () => {
    const receiver = await sender.receiver(answering(503, 200));
    const to = { policy: 'test.windowed', destination: 'one', url: receiver.url };
    const ids = await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2' });
    await sender.running.advance('90s');
    expect(receiver.bodies()).toEqual(['{"value":[1,2]}', '{"value":[1,2]}']);
    for (const id of ids) expect(await sender.record(id)).toMatchObject({ state: 'delivered', attempts: 2 });
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
        if (length > 1) expect(bytes(length)).toBeLessThanOrEqual(maxBytes);
        if (length < maxItems && length < rest.length) expect(bytes(length + 1)).toBeGreaterThan(maxBytes);
        rest.splice(0, length);
      }
    },
  );
  fc.assert(property);
});
