import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { readRule } from '../../../src/kernel/faults/read-rule.ts';
import { SECOND, type Sender, START_MS, sending } from './sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [10 * SECOND] } as const;
const policies: DeliveryPolicy[] = [
  { ...base, name: 'test.plain', concurrency: 1 },
  { ...base, name: 'test.ordered', ordered: true },
];

function order(sender: Sender, effect: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const rule = { match: { direction: 'outbound' as const, service: 'sender' }, effect, count: 1, ...more };
  return sender.jar.faults.add(readRule(rule, ['sender']));
}

sending('a fault', policies, (sender) => {
  test('answers in place of the receiver, and the record names the rule', async () => {
    const receiver = await sender.receiver();
    const { rule } = await order(sender, { status: 503, headers: { 'x-request-id': 'r1' }, body: { error: 'busy' } });
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    expect(receiver.received).toHaveLength(0);
    expect((await sender.record(id)).history).toMatchObject([
      { status: 503, outcome: 'Busy', response: '{"error":"busy"}', headers: { 'x-request-id': 'r1' }, fault: rule.id },
    ]);
    await sender.running.advance('10s');
    expect(receiver.bodies()).toEqual(['1']);
    expect(await sender.record(id)).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  test('drops the connection, and the message with it', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.plain', url: receiver.url, body: '1' };
    await order(sender, { drop: true });
    const [dropped = ''] = await sender.enqueue({ ...to, destination: 'one' });
    await sender.settled();
    expect(receiver.received).toHaveLength(0);
    expect((await sender.record(dropped)).history).toMatchObject([{ outcome: 'SocketError' }]);
  });

  test('makes the receiver slow by the jar\u2019s clock, up to the timeout of the attempt', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.plain', url: receiver.url, body: '1' };
    await order(sender, { latencyMs: 20 * SECOND });
    const [slow = ''] = await sender.enqueue({ ...to, destination: 'one' });
    await sender.running.advance('21s');
    expect(await sender.record(slow)).toMatchObject({
      state: 'delivered',
      endedAt: START_MS + 20 * SECOND,
      history: [{ ms: 20 * SECOND }],
    });
    await order(sender, { latencyMs: 45 * SECOND });
    const [late = ''] = await sender.enqueue({ ...to, destination: 'two' });
    await sender.running.advance('30s');
    expect((await sender.record(late)).history[0]).toMatchObject({ outcome: 'TimedOut' });
    expect(receiver.received).toHaveLength(1);
  });

  test('sends twice', async () => {
    const receiver = await sender.receiver();
    await order(sender, { duplicate: true });
    const [id = ''] = await sender.enqueue({ policy: 'test.plain', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    expect(receiver.bodies()).toEqual(['1', '1']);
    expect(await sender.record(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  test.for(['test.plain', 'test.ordered'])('sends one after its successor, by the policy %s', async (policy) => {
    const receiver = await sender.receiver();
    await order(sender, { outOfOrder: true });
    const to = { policy, destination: 'one', url: receiver.url };
    await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2' });
    await sender.running.advance('5s');
    expect(receiver.bodies()).toEqual(['2', '1']);
  });

  test('sends what was cancelled, and only that', async () => {
    const receiver = await sender.receiver();
    await order(sender, { afterDelete: true });
    const to = { policy: 'test.plain', destination: 'one', url: receiver.url, dueAt: START_MS + 10 * SECOND };
    const [first = '', second = ''] = await sender.enqueue(
      { ...to, owner: 'gone', body: '1' },
      { ...to, owner: 'gone', body: '2' },
    );
    await sender.jar.store.transact((tx) => sender.jar.delivery.cancel(tx, { owner: 'gone' }));
    await sender.running.advance('10s');
    expect(receiver.bodies()).toEqual(['1']);
    expect(await sender.record(first)).toMatchObject({ state: 'delivered' });
    expect(await sender.record(second)).toMatchObject({ state: 'cancelled' });
  });
});
