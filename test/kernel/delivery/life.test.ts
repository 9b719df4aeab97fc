import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { answering } from './receivers.ts';
import { HOUR, MINUTE, SECOND, Sender, START_MS, sending } from './sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [10 * SECOND] } as const;
const plain: DeliveryPolicy = { ...base, name: 'test.plain', concurrency: 2 };
const hasty: DeliveryPolicy = { ...base, name: 'test.hasty', timeoutMs: 50 };
const clueless: DeliveryPolicy = {
  ...base,
  name: 'test.clueless',
  classify() {
    throw new Error('never seen this before');
  },
};
const broken: DeliveryPolicy = {
  ...base,
  name: 'test.broken',
  compose() {
    throw new Error('no such template');
  },
};
const other: DeliveryPolicy = {
  ...base,
  name: 'test.other',
  send: async ({ body }) => {
    if (body === 'full') return { outcome: 'Full', error: 'the queue is full', headers: {}, body: '' };
    return { status: 200, outcome: 'Succeeded', headers: {}, body: 'stored' };
  },
};

sending('the life of a jar', [plain, hasty, clueless, broken, other], (sender) => {
  test('a receiver that does not answer in time is a failed attempt, with a clear record', async () => {
    const receiver = await sender.receiver(() => {});
    const [id = ''] = await sender.enqueue({ policy: 'test.hasty', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({
      state: 'queued',
      history: [
        {
          outcome: 'TimedOut',
          error: 'no complete answer within 50 ms',
          rule: 'TimedOut: retried by policy test.hasty',
        },
      ],
    });
  });

  test('a delivery may have a timeout of its own', async () => {
    const receiver = await sender.receiver(() => {});
    const to = { policy: 'test.plain', destination: 'impatient', url: receiver.url, body: '1' };
    const [id = ''] = await sender.enqueue({ ...to, timeoutMs: 70 });
    await sender.settled();
    expect((await sender.record(id)).history).toMatchObject([{ error: 'no complete answer within 70 ms' }]);
  });

  test('a policy that cannot classify an outcome does not affect others, and the record says so', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.clueless', destination: 'one', url: receiver.url };
    const [id = ''] = await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2' });
    await sender.settled();
    expect(receiver.received).toHaveLength(2);
    expect(await sender.record(id)).toMatchObject({
      state: 'queued',
      history: [{ rule: '200: retried, because policy test.clueless could not classify it' }],
    });
  });

  test('a reset does not wait for a receiver that hangs, and removes everything queued', async () => {
    const receiver = await sender.receiver(() => {});
    const to = { policy: 'test.plain', destination: 'one', url: receiver.url };
    await sender.enqueue(...Array.from({ length: 10 }, (_, i) => ({ ...to, body: String(i) })));
    await expect.poll(() => receiver.received.length).toBe(2);
    await sender.running.reset();
    expect(await sender.records()).toEqual([]);
    await sender.settled();
    expect(receiver.received).toHaveLength(2);
    receiver.answer = (_, response) => response.end();
    await sender.enqueue({ ...to, body: 'after' });
    await sender.settled();
    expect(receiver.bodies().at(-1)).toBe('after');
  });

  test('a message that cannot be composed is an attempt that failed, with the reason', async () => {
    const [id = ''] = await sender.enqueue({
      policy: 'test.broken',
      destination: 'one',
      url: 'http://localhost/',
      body: '1',
    });
    await sender.settled();
    const record = await sender.record(id);
    expect(record).toMatchObject({ state: 'queued', attempts: 1 });
    expect(record.history[0]).toMatchObject({
      outcome: 'ComposeFailed',
      error: 'the message could not be composed: no such template',
    });
  });

  test('another transport than HTTP has the same life', async () => {
    const to = { policy: 'test.other', destination: 'queue', url: 'amqp://localhost/queue' };
    const [stored = '', full = ''] = await sender.enqueue({ ...to, body: 'one' }, { ...to, body: 'full' });
    await sender.settled();
    expect(await sender.record(stored)).toMatchObject({ state: 'delivered', history: [{ response: 'stored' }] });
    expect(await sender.record(full)).toMatchObject({
      state: 'queued',
      history: [{ outcome: 'Full', error: 'the queue is full', rule: 'Full: retried by policy test.other' }],
    });
  });

  test('an address that nothing may be sent to ends the delivery with the reason', async () => {
    const [id = ''] = await sender.enqueue({
      policy: 'test.plain',
      destination: 'one',
      url: 'http://169.254.169.254/latest',
      body: '1',
    });
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({
      state: 'dropped',
      cause: 'refused',
      history: [{ outcome: 'Blocked', error: expect.stringContaining('169.254.169.254') }],
    });
  });

  test('of many attempts the first few and the last few are kept', async () => {
    const receiver = await sender.receiver(answering(503));
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.running.advance(199 * SECOND);
    const record = await sender.record(id);
    expect(record.attempts).toBe(20);
    expect(record.history.map(({ number }) => number)).toEqual([1, 2, 3, 14, 15, 16, 17, 18, 19, 20]);
  });

  test('of a long answer the beginning is kept', async () => {
    const receiver = await sender.receiver((_, response) => response.end('x'.repeat(100_000)));
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    expect((await sender.record(id)).history[0]?.response).toHaveLength(1024);
  });

  test('ended deliveries are kept for seven days', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.plain', destination: 'one', url: receiver.url };
    const [old = ''] = await sender.enqueue({ ...to, body: 'x'.repeat(20_000) });
    await sender.running.advance('6d');
    const [young = ''] = await sender.enqueue({ ...to, body: '2' });
    await sender.settled();
    expect((await sender.records()).map(({ key }) => key)).toEqual([old, young]);
    await sender.running.advance('25h');
    const [newest = ''] = await sender.enqueue({ ...to, body: '3' });
    await sender.settled();
    expect((await sender.records()).map(({ key }) => key)).toEqual([young, newest]);
  });
});

// A jar that has sent nothing yet, because a reset does not reset counters.
sending('the metrics of a jar', [plain], (sender) => {
  test('metrics count every attempt and every end, and say how long the oldest has been waiting', async () => {
    const receiver = await sender.receiver(answering(200, 503, 404));
    const to = { policy: 'test.plain', url: receiver.url, body: '1' };
    for (const destination of ['a', 'b', 'c']) {
      await sender.enqueue({ ...to, destination });
      await sender.settled();
    }
    const metrics = await sender.jar.metrics.render();
    for (const outcome of ['delivered', 'retried', 'dropped']) {
      expect(metrics).toContain(`cloudjar_deliveries_total{service="sender",outcome="${outcome}"} 1`);
    }
    expect(metrics).toContain('cloudjar_delivery_oldest_due_age_seconds 0');
  });
});

test('a jar that closes does not wait for receivers that hang', async () => {
  const sender = new Sender([plain]);
  await sender.start({ memory: true });
  const receiver = await sender.receiver(() => {});
  await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
  await expect.poll(() => receiver.received.length).toBe(1);
  await sender.close();
  expect(receiver.received).toHaveLength(1);
});

test('a policy with a mistake keeps the jar from starting', async () => {
  const mistakes: Partial<DeliveryPolicy>[] = [
    { name: 'has spaces' },
    { schedule: [] },
    { schedule: [-1] },
    { jitter: 2 },
    { concurrency: 0 },
    { maxAttempts: 0 },
    { batch: { maxItems: 0 } },
    { circuit: { afterFailures: 0, probationMs: [MINUTE] } },
    { circuit: { afterFailures: 1, probationMs: [] } },
  ];
  for (const mistake of mistakes) {
    await expect(new Sender([{ ...plain, ...mistake }]).start({ memory: true })).rejects.toThrow(/delivery policy/);
  }
  await expect(new Sender([plain, plain]).start({ memory: true })).rejects.toThrow(
    "the delivery policy 'test.plain' is declared twice",
  );
});

test('deliveries of a removed policy wait until the policy exists again', async () => {
  const before = new Sender([plain]);
  await before.start({ memory: true });
  try {
    const { jar } = before;
    await before.enqueue({
      policy: 'test.plain',
      destination: 'one',
      url: 'http://127.0.0.1/',
      body: '1',
      dueAt: START_MS + HOUR,
    });
    await jar.store.transact((tx) =>
      tx.wake({
        id: 'delivery:gone x',
        kind: 'deliveries.pump',
        dueAt: START_MS,
        payload: { policy: 'gone', destination: 'x' },
      }),
    );
    await before.settled();
    expect(await jar.store.work.stats()).toMatchObject({ waiting: 2, leased: 0, parked: 0 });
    expect(await jar.store.work.nextDue()).toBe(START_MS + HOUR);
  } finally {
    await before.close();
  }
});
