import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { answering } from './receivers.ts';
import { HOUR, MINUTE, SECOND, START_MS, sending } from './sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [10 * SECOND] } as const;
const guarded: DeliveryPolicy = {
  ...base,
  name: 'test.guarded',
  schedule: [SECOND],
  concurrency: 4,
  circuit: { afterFailures: 3, probationMs: [MINUTE, 5 * MINUTE, HOUR], byOutcome: { NotFound: 10 * MINUTE } },
  classify: ({ status }) => ({ is: status === 200 ? 'delivered' : status === 404 ? 'refused' : 'retry' }),
};
const ordered: DeliveryPolicy = { ...base, name: 'test.ordered', ordered: true };
const narrow: DeliveryPolicy = { ...base, name: 'test.narrow', concurrency: 2 };

sending('a destination', [guarded, ordered, narrow], (sender) => {
  test('that keeps failing gets no messages until its probation is over, then a single probe', async () => {
    const times: number[] = [];
    const receiver = await sender.receiver((_, response) => {
      times.push(sender.seconds);
      response.statusCode = 500;
      response.end();
    });
    const to = { policy: 'test.guarded', destination: 'one', url: receiver.url };
    await sender.enqueue({ ...to, body: '0' });
    await sender.running.advance('2s');
    expect(times).toEqual([0, 1, 2]);
    expect(await sender.destination('test.guarded', 'one')).toMatchObject({
      failures: 3,
      probations: 1,
      until: START_MS + 62 * SECOND,
      outcome: 'ServerError',
    });
    // New deliveries wait too.
    await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2' }, { ...to, body: '3' });
    await sender.running.advance('59s');
    expect(times).toHaveLength(3);
    await sender.running.advance('1s');
    expect(times).toEqual([0, 1, 2, 62]);
    await sender.running.advance('299s');
    expect(times).toHaveLength(4);
    receiver.answer = (_, response) => response.end();
    await sender.running.advance('1s');
    expect(receiver.received).toHaveLength(8);
    expect(await sender.destination('test.guarded', 'one')).toBeUndefined();
    expect((await sender.records()).map(({ value }) => value.state)).toEqual(Array(4).fill('delivered'));
    const changes = await sender.jar.store.changesAfter(undefined, 100);
    expect(changes.filter((change) => change.kind === 'probation').map((change) => change.data)).toMatchObject([
      { failures: 3, outcome: 'ServerError' },
      { failures: 4, outcome: 'ServerError' },
    ]);
  });

  test('is put on probation for as long as its outcome requires', async () => {
    const receiver = await sender.receiver(answering(404));
    const to = { policy: 'test.guarded', destination: 'one', url: receiver.url, body: '1' };
    for (let i = 0; i < 3; i++) {
      await sender.enqueue(to);
      await sender.settled();
    }
    expect(await sender.destination('test.guarded', 'one')).toMatchObject({
      outcome: 'NotFound',
      until: START_MS + 10 * MINUTE,
    });
  });

  test('has no more concurrent messages than its policy allows', async () => {
    let underWay = 0;
    let most = 0;
    const receiver = await sender.receiver((_, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.end();
      }, 5);
    });
    const to = { policy: 'test.narrow', destination: 'one', url: receiver.url };
    await sender.enqueue(...Array.from({ length: 20 }, (_, i) => ({ ...to, body: String(i) })));
    await sender.settled();
    expect(receiver.received).toHaveLength(20);
    expect(most).toBe(2);
  });

  test('that does not respond blocks no other, and uses its remaining slots for deliveries queued meanwhile', async () => {
    const hanging = await sender.receiver((request, response) => {
      if (request.body !== 'hang') response.end();
    });
    const lively = await sender.receiver();
    await sender.enqueue({ policy: 'test.narrow', destination: 'dead', url: hanging.url, body: 'hang' });
    await expect.poll(() => hanging.received.length).toBe(1);
    for (let i = 0; i < 5; i++) {
      await sender.enqueue({ policy: 'test.narrow', destination: 'live', url: lively.url, body: String(i) });
      await sender.enqueue({ policy: 'test.narrow', destination: 'dead', url: hanging.url, body: String(i) });
    }
    // Two messages are sent concurrently, so one may overtake the other.
    await expect.poll(() => lively.bodies().sort()).toEqual(['0', '1', '2', '3', '4']);
    await expect.poll(() => hanging.bodies().sort()).toEqual(['0', '1', '2', '3', '4', 'hang']);
  });

  test('with strict order gets no delivery before the earlier ones have arrived', async () => {
    const receiver = await sender.receiver(answering(200, 503, 503, 200));
    const to = { policy: 'test.ordered', destination: 'one', url: receiver.url };
    await sender.enqueue({ ...to, body: 'a' }, { ...to, body: 'b' }, { ...to, body: 'c' });
    await sender.enqueue({ ...to, body: 'd' });
    await sender.settled();
    expect(receiver.bodies()).toEqual(['a', 'b']);
    await sender.running.advance('20s');
    expect(receiver.bodies()).toEqual(['a', 'b', 'b', 'b', 'c', 'd']);
  });

  test('gets what is due in order of due time', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.narrow', destination: 'one', url: receiver.url };
    await sender.enqueue(
      ...[30, 10, 20].map((seconds) => ({ ...to, body: String(seconds), dueAt: START_MS + seconds * SECOND })),
    );
    expect((await sender.running.advance('1m')).fired).toBe(3);
    expect(receiver.bodies()).toEqual(['10', '20', '30']);
  });
});
