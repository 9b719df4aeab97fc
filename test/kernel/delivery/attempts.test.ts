import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { answering } from './receivers.ts';
import { HOUR, MINUTE, SECOND, START_MS, sending } from './sender.ts';

const plain: DeliveryPolicy = {
  name: 'test.plain',
  service: 'sender',
  plainHttp: true,
  schedule: [10 * SECOND, 30 * SECOND, MINUTE],
  maxAttempts: 5,
  timeToLiveMs: HOUR,
  honourRetryAfter: true,
};

sending('an attempt', [plain], (sender) => {
  test('that is answered with 2xx ends the delivery, which is recorded in full', async () => {
    const receiver = await sender.receiver((_, response) => {
      response.writeHead(202, { 'content-type': 'text/plain' }).end('thank you');
    });
    const [id = ''] = await sender.enqueue({
      policy: 'test.plain',
      destination: 'one',
      owner: 'subscription-1',
      subject: 'thing-1',
      url: `${receiver.url}/hook`,
      headers: { 'x-mine': 'yes' },
      body: '{"a":1}',
    });
    await sender.settled();
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        body: '{"a":1}',
        headers: { 'x-mine': 'yes', 'content-type': 'application/json; charset=utf-8' },
      },
    ]);
    expect(await sender.record(id)).toMatchObject({
      state: 'delivered',
      cause: 'delivered',
      rule: '202: delivered by policy test.plain',
      endedAt: START_MS,
      attempts: 1,
      history: [
        {
          number: 1,
          at: START_MS,
          status: 202,
          outcome: 'Succeeded',
          response: 'thank you',
          headers: { 'content-type': 'text/plain' },
        },
      ],
    });
    expect((await sender.jar.store.work.stats()).waiting).toBe(0);
  });

  test('that fails is retried by the schedule until it succeeds', async () => {
    const times: number[] = [];
    const receiver = await sender.receiver((_, response, count) => {
      times.push(sender.seconds);
      response.statusCode = count < 5 ? 503 : 200;
      response.end();
    });
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.running.advance('1h');
    expect(times).toEqual([0, 10, 40, 100, 160]);
    expect(await sender.record(id)).toMatchObject({ state: 'delivered', attempts: 5 });
  });

  test('is the last one when the policy allows no more', async () => {
    const receiver = await sender.receiver(answering(500));
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.running.advance('1h');
    expect(receiver.received).toHaveLength(5);
    expect(await sender.record(id)).toMatchObject({
      state: 'dropped',
      cause: 'exhausted',
      rule: '500: attempt 5 was the last by policy test.plain',
    });
  });

  test('is not retried after a permanent failure', async () => {
    const receiver = await sender.receiver(answering(404));
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.running.advance('1h');
    expect(receiver.received).toHaveLength(1);
    expect(await sender.record(id)).toMatchObject({
      state: 'dropped',
      cause: 'refused',
      rule: '404: not retried by policy test.plain',
    });
    const changes = await sender.jar.store.changesAfter(undefined, 100);
    expect(changes.filter((change) => change.kind === 'delivery')).toMatchObject([
      { source: 'sender', outcome: 'Failed', data: { id, cause: 'refused' } },
    ]);
  });

  test('is not made past the time to live, which is checked when it is due', async () => {
    const receiver = await sender.receiver(answering(503));
    const [id = ''] = await sender.enqueue({
      policy: 'test.plain',
      destination: 'one',
      url: receiver.url,
      body: '1',
      expiresAt: START_MS + 15 * SECOND,
    });
    await sender.running.advance('39s');
    expect(await sender.record(id)).toMatchObject({ state: 'queued', attempts: 2 });
    await sender.running.advance('1s');
    expect(receiver.received).toHaveLength(2);
    expect(await sender.record(id)).toMatchObject({ state: 'dropped', cause: 'expired' });
  });

  test('waits as long as the receiver requests if the policy honours Retry-After', async () => {
    const receiver = await sender.receiver((_, response, count) => {
      if (count === 1) response.writeHead(429, { 'retry-after': '120' });
      response.end();
    });
    await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.running.advance('119s');
    expect(receiver.received).toHaveLength(1);
    await sender.running.advance('1s');
    expect(receiver.received).toHaveLength(2);
  });

  test('is retried with the reason if the receiver is unreachable', async () => {
    const gone = await sender.receiver();
    await gone.close();
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: gone.url, body: '1' });
    await sender.settled();
    const record = await sender.record(id);
    expect(record).toMatchObject({ state: 'queued', attempts: 1, dueAt: START_MS + 10 * SECOND });
    expect(record.history[0]).toMatchObject({
      outcome: 'SocketError',
      error: expect.stringContaining('ECONNREFUSED'),
      rule: 'SocketError: retried by policy test.plain',
      nextAt: START_MS + 10 * SECOND,
    });
  });
});
