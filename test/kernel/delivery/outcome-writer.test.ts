import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import type { DeliveryEnd, DeliveryPolicy, EndedDelivery } from '../../../src/kernel/delivery/index.ts';
import { deliveries } from '../../../src/kernel/delivery/records.ts';
import { answering } from './receivers.ts';
import { HOUR, SECOND, START_MS, sending } from './sender.ts';

const ends: { deliveries: readonly EndedDelivery[]; end: DeliveryEnd }[] = [];
const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];

const base = { service: 'sender', plainHttp: true, schedule: [10 * SECOND], maxAttempts: 2 } as const;
const watched: DeliveryPolicy = {
  ...base,
  name: 'test.watched',
  timeToLiveMs: HOUR,
  async ended(tx, list, end, jar) {
    ends.push({ deliveries: list, end });
    if (end.cause !== 'exhausted') return undefined;
    for (const { body, url } of list) {
      await jar.delivery.enqueue(tx, { policy: 'test.letters', destination: 'letters', url: `${url}/letters`, body });
    }
    return 'dead-lettered';
  },
};
const attempts: string[] = [];
const counted: DeliveryPolicy = {
  ...base,
  name: 'test.counted',
  schedule: [10 * SECOND],
  maxAttempts: 4,
  async attempted(tx, batch, { status }, jar) {
    attempts.push(`${batch.map(({ body }) => body).join()} ${status}`);
    await tx.get(deliveries, batch[0]?.id ?? '');
    if (jar && batch[0]?.body === 'wrong' && attempts.length === 1) throw new Error('not to be counted');
  },
};
const letters: DeliveryPolicy = { ...base, name: 'test.letters' };
const signed: DeliveryPolicy = { ...base, name: 'test.signed', secrets: () => SECRETS };

sending('an attempt', [counted], (sender) => {
  test('is reported to the service in the transaction that stores its outcome', async () => {
    attempts.length = 0;
    const statuses = [503, 500, 200];
    const receiver = await sender.receiver((_, response) => {
      response.statusCode = statuses.shift() ?? 200;
      response.end();
    });
    await sender.enqueue({ policy: 'test.counted', destination: 'one', url: receiver.url, body: '1' });
    await sender.running.advance('20s');
    expect(attempts).toEqual(['1 503', '1 500', '1 200']);
  });

  test("is repeated if the service's callback fails, and nothing is lost", async () => {
    attempts.length = 0;
    const receiver = await sender.receiver();
    const to = { policy: 'test.counted', destination: 'one', url: receiver.url };
    const [id = ''] = await sender.enqueue({ ...to, body: 'wrong' });
    await sender.settled();
    // Once together with the others, which were then stored without it, and once alone.
    expect(await sender.record(id)).toMatchObject({ state: 'delivered' });
    expect(attempts).toEqual(['wrong 200', 'wrong 200']);
  });
});

sending('an end', [watched, letters, signed], (sender) => {
  test('is reported to the service in the transaction that stores it, in which the service may queue a dead letter', async () => {
    ends.length = 0;
    const receiver = await sender.receiver((request, response) => {
      response.statusCode = request.path === '/letters' ? 200 : 503;
      response.end();
    });
    const [id = ''] = await sender.enqueue({
      policy: 'test.watched',
      destination: 'one',
      owner: 'me',
      url: receiver.url,
      body: '{"event":1}',
    });
    await sender.running.advance('10s');
    expect(ends).toMatchObject([
      {
        deliveries: [
          { id, owner: 'me', body: '{"event":1}', attempts: 2, history: [{ status: 503 }, { status: 503 }] },
        ],
        end: { cause: 'exhausted', result: { status: 503, outcome: 'Busy' } },
      },
    ]);
    expect(await sender.record(id)).toMatchObject({ state: 'dead-lettered', cause: 'exhausted' });
    expect(receiver.received.map(({ path, body }) => `${path} ${body}`)).toEqual([
      '/ {"event":1}',
      '/ {"event":1}',
      '/letters {"event":1}',
    ]);
  });

  test('of a failed delivery is logged with the rule and without secrets of the URL', async () => {
    const warn = vi.spyOn(sender.jar.log, 'warn');
    const receiver = await sender.receiver((request, response) => {
      response.statusCode = request.path.startsWith('/letters') ? 200 : 400;
      response.end();
    });
    const [id] = await sender.enqueue({
      policy: 'test.watched',
      destination: 'one',
      owner: 'me',
      url: `${receiver.url}/a?code=hidden`,
      body: '{}',
    });
    await sender.enqueue({ policy: 'test.letters', destination: 'two', url: `${receiver.url}/letters`, body: '{}' });
    await sender.settled();
    expect(warn.mock.calls).toEqual([
      [
        { policy: 'test.watched', delivery: id, owner: 'me', deliveries: 1, attempts: 1, outcome: 'BadRequest' },
        `not delivered to ${receiver.url}/a, dropped: 400: not retried by policy test.watched`,
      ],
    ]);
  });

  test('by an answer that is not retried names the rule that fired', async () => {
    ends.length = 0;
    const receiver = await sender.receiver(answering(410));
    await sender.enqueue({ policy: 'test.watched', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    expect(ends.map(({ end }) => end)).toMatchObject([
      { cause: 'refused', rule: '410: not retried by policy test.watched', result: { outcome: 'Gone' } },
    ]);
  });

  test('by cancelling an owner cancels everything queued for it, and nothing else', async () => {
    ends.length = 0;
    const receiver = await sender.receiver();
    const to = { policy: 'test.watched', destination: 'one', url: receiver.url, dueAt: START_MS + HOUR / 2 };
    const [first = '', second = ''] = await sender.enqueue(
      { ...to, owner: 'gone', body: '1' },
      { ...to, owner: 'stays', body: '2' },
      { ...to, owner: 'gone', body: '3' },
    );
    const cancelled = await sender.jar.store.transact((tx) => sender.jar.delivery.cancel(tx, { owner: 'gone' }));
    expect(cancelled).toBe(2);
    expect(ends.map(({ end }) => end.cause)).toEqual(['cancelled', 'cancelled']);
    await sender.running.advance('1h');
    expect(receiver.bodies()).toEqual(['2']);
    expect(await sender.record(first)).toMatchObject({ state: 'cancelled', rule: 'cancelled by its service' });
    expect(await sender.record(second)).toMatchObject({ state: 'delivered' });
  });

  test('is not reported for a delivery that was cancelled while it was being sent', async () => {
    ends.length = 0;
    const arrived = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const receiver = await sender.receiver((_, response) => {
      arrived.resolve();
      void goOn.promise.then(() => response.end());
    });
    const [id = ''] = await sender.enqueue({
      policy: 'test.watched',
      destination: 'one',
      url: receiver.url,
      body: '1',
    });
    await arrived.promise;
    await sender.jar.store.transact((tx) => sender.jar.delivery.cancel(tx, { id }));
    goOn.resolve();
    await sender.settled();
    expect(ends.map(({ end }) => end.cause)).toEqual(['cancelled']);
    expect(await sender.record(id)).toMatchObject({ state: 'cancelled', attempts: 0 });
  });

  test('can be undone: a replay has all attempts and the full time to live again', async () => {
    const statuses = [503, 503, 503, 200];
    const receiver = await sender.receiver((request, response) => {
      response.statusCode = request.path === '/' ? (statuses.shift() ?? 0) : 200;
      response.end();
    });
    const [id = ''] = await sender.enqueue({
      policy: 'test.watched',
      destination: 'one',
      url: receiver.url,
      body: '1',
    });
    await sender.running.advance('2h');
    expect(await sender.record(id)).toMatchObject({ state: 'dead-lettered', attempts: 2 });
    await sender.jar.store.transact(async (tx) => {
      const stored = await tx.get(deliveries, id);
      await sender.jar.delivery.replay(tx, stored!);
    });
    await sender.running.advance('10s');
    const record = await sender.record(id);
    expect(record).toMatchObject({ state: 'delivered', attempts: 4, tries: 2, replays: 1 });
    expect(record.expiresAt).toBe(START_MS + 3 * HOUR);
    expect(record.history.map(({ number, status }) => [number, status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 503],
      [4, 200],
    ]);
  });

  test('needs a receiver that can trust the sender: signatures are those of Standard Webhooks, one for each secret', async () => {
    const receiver = await sender.receiver();
    const [id = ''] = await sender.enqueue({
      policy: 'test.signed',
      destination: 'one',
      url: receiver.url,
      body: '{"a":"ü"}',
    });
    await sender.settled();
    const { body, headers } = receiver.received[0]!;
    expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-timestamp': String(START_MS / SECOND) });
    // The library checks the time against its own clock, which a test cannot move, so only its signature is used here.
    const sign = (secret: string) => new Webhook(secret).sign(id, new Date(START_MS), body);
    expect(headers['webhook-signature']).toBe(SECRETS.map(sign).join(' '));
  });
});
