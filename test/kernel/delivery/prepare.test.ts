import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { answering } from './receivers.ts';
import { SECOND, START_MS, sending } from './sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [10 * SECOND] } as const;
const HOUR = 3600 * SECOND;
/** Larger than the bodies that are stored in records. */
const LARGE = 20_000;

const growing: DeliveryPolicy = {
  ...base,
  name: 'test.growing',
  prepare: async (_tx, { body, attempts }) => ({
    body: body.length > LARGE ? 'small again' : `${body}+`.padEnd(attempts === 2 ? LARGE + 1 : 0, '.'),
    expiresAt: START_MS + HOUR,
  }),
};
const broken: DeliveryPolicy = {
  ...base,
  name: 'test.broken',
  async prepare() {
    throw new Error('nothing can be read');
  },
};
const ending: DeliveryPolicy = {
  ...base,
  name: 'test.ending',
  async prepare(tx, { id }, jar) {
    await jar.delivery.cancel(tx, { id });
    return undefined;
  },
};
const timed: DeliveryPolicy = {
  ...base,
  name: 'test.timed',
  retryAt: async (_tx, [first]) => (first?.attempts === 0 ? START_MS + 77 * SECOND : undefined),
};

sending('a delivery that has failed', [growing, broken, ending, timed], (sender) => {
  const enqueue = async (policy: string, url: string) =>
    (await sender.enqueue({ policy, destination: 'one', url, body: 'first' }))[0] ?? '';

  test('is prepared before it is retried, and stored as it was sent last, large or small', async () => {
    const receiver = await sender.receiver(answering(503, 503, 503, 200));
    const id = await enqueue('test.growing', receiver.url);
    await sender.running.advance('20s');
    expect((await sender.record(id)).bodyBytes).toBe(LARGE + 1);
    await sender.running.advance('1h');
    const [first, second, third, fourth] = receiver.bodies();
    expect([first, second, third?.length, fourth]).toEqual(['first', 'first+', LARGE + 1, 'small again']);
    const record = await sender.record(id);
    expect(record).toMatchObject({ state: 'delivered', attempts: 4, body: 'small again', expiresAt: START_MS + HOUR });
  });

  test('is sent unchanged if it cannot be prepared', async () => {
    const receiver = await sender.receiver(answering(503, 200));
    const id = await enqueue('test.broken', receiver.url);
    await sender.running.advance('1h');
    expect(receiver.bodies()).toEqual(['first', 'first']);
    expect((await sender.record(id)).state).toBe('delivered');
  });

  test('is not sent if its service cancels it in prepare', async () => {
    const receiver = await sender.receiver(answering(503, 200));
    const id = await enqueue('test.ending', receiver.url);
    await sender.running.advance('1h');
    expect(receiver.bodies()).toEqual(['first']);
    expect((await sender.record(id)).state).toBe('cancelled');
  });

  test('is due when its service says, otherwise by the schedule, and at once if it is hastened', async () => {
    const receiver = await sender.receiver(answering(503));
    const id = await enqueue('test.timed', receiver.url);
    await sender.settled();
    expect((await sender.record(id)).dueAt).toBe(START_MS + 77 * SECOND);
    await sender.running.advance('77s');
    expect((await sender.record(id)).dueAt).toBe(START_MS + 87 * SECOND);
    const makeDueNow = () => sender.jar.store.transact((tx) => sender.jar.delivery.makeDueNow(tx, id));
    await sender.running.advance('1s');
    expect(await makeDueNow()).toBe(true);
    await sender.settled();
    expect((await sender.record(id)).history.map(({ at }) => (at - START_MS) / SECOND)).toEqual([0, 77, 78]);
    await sender.jar.store.transact((tx) => sender.jar.delivery.cancel(tx, { id }));
    expect(await makeDueNow()).toBe(false);
  });
});
