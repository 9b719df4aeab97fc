import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { deliveries } from '../../../src/kernel/delivery/records.ts';
import { answering } from './receivers.ts';
import { SECOND, Sender, sending } from './sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [10 * SECOND] } as const;
const never = <T>(): Promise<T> => new Promise(() => {});

let broken = true;
const forgetful: DeliveryPolicy = {
  ...base,
  name: 'test.forgetful',
  async ended(_tx, [delivery]) {
    if (broken && delivery?.body === 'bad') throw new Error('no such subscription');
    return undefined;
  },
};
const cascading: DeliveryPolicy = {
  ...base,
  name: 'test.cascading',
  async ended(tx, [delivery], { cause }, jar) {
    if (cause !== 'delivered') await jar.delivery.cancel(tx, { owner: delivery?.owner ?? '' });
    return cause === 'refused' ? 'dead-lettered' : undefined;
  },
};
const hanging: DeliveryPolicy[] = [
  { ...base, name: 'hanging.compose', timeoutMs: 50, compose: never },
  { ...base, name: 'hanging.secrets', timeoutMs: 50, secrets: never },
  { ...base, name: 'hanging.send', timeoutMs: 50, send: never },
];
const sends = { started: 0, aborted: 0 };
const patient: DeliveryPolicy = {
  ...base,
  name: 'test.patient',
  send(_message, _jar, signal) {
    sends.started += 1;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        sends.aborted += 1;
        reject(signal.reason);
      });
    });
  },
};
const mute: DeliveryPolicy = { ...base, name: 'test.mute', classify: () => undefined as never };

sending('a service', [forgetful, cascading, ...hanging, patient, mute], (sender) => {
  test('that fails to process an end gets this end again, without effect on the others', async () => {
    broken = true;
    const receiver = await sender.receiver();
    const to = { policy: 'test.forgetful', destination: 'one', url: receiver.url };
    const bodies = ['first', 'bad', 'second', 'third'];
    const ids = await sender.enqueue(...bodies.map((body) => ({ ...to, body })));
    await sender.settled();
    expect(receiver.bodies().sort()).toEqual(bodies.toSorted());
    const records = await Promise.all(ids.map((id) => sender.record(id)));
    expect(records.map(({ state }) => state)).toEqual(['delivered', 'queued', 'delivered', 'delivered']);
    expect(records[1]?.history.at(-1)?.rule).toBe(
      'postponed, because policy test.forgetful failed to process the end: no such subscription',
    );
    broken = false;
    await sender.running.advance('10s');
    expect(await sender.record(ids[1] ?? '')).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(receiver.received).toHaveLength(5);
  });

  test('that fails to process an expired delivery gets it again later', async () => {
    broken = true;
    const receiver = await sender.receiver();
    const to = { policy: 'test.forgetful', destination: 'one', url: receiver.url, body: 'bad' };
    const [id = ''] = await sender.enqueue({ ...to, expiresAt: sender.jar.clock.now() });
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({ state: 'queued', attempts: 0 });
    broken = false;
    await sender.running.advance('10s');
    expect(await sender.record(id)).toMatchObject({ state: 'dropped', cause: 'expired' });
    expect(receiver.received).toHaveLength(0);
  });

  test('that cancels everything of an owner while processing an end does not change that end', async () => {
    const receiver = await sender.receiver(answering(404));
    const to = { policy: 'test.cascading', destination: 'one', owner: 'me', url: receiver.url };
    const later = sender.jar.clock.now() + 60 * SECOND;
    const [refused = '', queued = ''] = await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2', dueAt: later });
    await sender.settled();
    expect(await sender.record(refused)).toMatchObject({
      state: 'dead-lettered',
      cause: 'refused',
      rule: '404: not retried by policy test.cascading',
      attempts: 1,
    });
    expect(await sender.record(queued)).toMatchObject({ state: 'cancelled', attempts: 0 });
  });

  test('that does not finish composing a message fails the attempt after the timeout', async () => {
    const ids = await sender.enqueue(
      ...hanging.map(({ name }) => ({ policy: name, destination: 'one', url: 'http://localhost/', body: '1' })),
    );
    await sender.settled();
    const last = await Promise.all(ids.map(async (id) => (await sender.record(id)).history.at(-1)));
    expect(last.map((attempt) => [attempt?.outcome, attempt?.error])).toEqual([
      ['ComposeFailed', 'the message could not be composed: not done within 50 ms'],
      ['ComposeFailed', 'the message could not be composed: not done within 50 ms'],
      ['TimedOut', 'not done within 50 ms'],
    ]);
  });

  test('that returns no verdict is asked again later, not at once', async () => {
    const receiver = await sender.receiver();
    const [id = ''] = await sender.enqueue({ policy: 'test.mute', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    expect(receiver.received).toHaveLength(1);
    expect(await sender.record(id)).toMatchObject({
      state: 'queued',
      history: [{ rule: '200: retried, because policy test.mute could not classify it' }],
    });
  });

  test('that was removed does not prevent cancelling what it has queued', async () => {
    const receiver = await sender.receiver();
    const later = sender.jar.clock.now() + 60 * SECOND;
    const to = { policy: 'test.mute', destination: 'one', owner: 'me', url: receiver.url, body: '1', dueAt: later };
    const [id = ''] = await sender.enqueue(to);
    const { store, delivery } = sender.jar;
    const record = await sender.record(id);
    await store.transact((tx) => tx.put(deliveries, id, { ...record, policy: 'test.gone' }));
    expect(await store.transact((tx) => delivery.cancel(tx, { owner: 'me' }))).toBe(1);
    expect(await sender.record(id)).toMatchObject({ state: 'cancelled' });
  });
});

test('a message that a snapshot interrupts is sent again and does not count as an attempt', async () => {
  const sender = new Sender([patient]);
  await sender.start({ memory: true });
  try {
    Object.assign(sends, { started: 0, aborted: 0 });
    const [id = ''] = await sender.enqueue({ policy: 'test.patient', destination: 'one', url: 'amqp://x/', body: '1' });
    await expect.poll(() => sends.started).toBe(1);
    await sender.running.snapshots.save('before');
    await sender.running.snapshots.restore('before');
    await expect.poll(() => sends.started).toBe(2);
    expect(sends.aborted).toBe(1);
    expect(await sender.record(id)).toMatchObject({ state: 'queued', attempts: 0 });
  } finally {
    await sender.close();
  }
});
