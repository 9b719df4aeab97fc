import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { destinations } from '../../../src/kernel/delivery/records.ts';
import { answering } from './receivers.ts';
import { MINUTE, SECOND, sending } from './sender.ts';

const policy: DeliveryPolicy = {
  name: 'test.policy',
  service: 'sender',
  plainHttp: true,
  schedule: [10 * SECOND],
  maxAttempts: 2,
  circuit: { afterFailures: 1, probationMs: [MINUTE] },
};

sending('secrets in an address', [policy], (sender) => {
  test('reach the receiver, and are shown nowhere, even where the address names the destination', async () => {
    const receiver = await sender.receiver(answering(503));
    const host = receiver.url.slice('http://'.length);
    const url = `http://jo:hunter2@tricky@${host}/hook?code=hunter2#hunter2`;
    const [id = ''] = await sender.enqueue({ policy: policy.name, destination: url, url, body: '1' });
    await sender.settled();
    const { store } = sender.jar;
    const failing = (await store.query(destinations, { limit: 10 })).items;
    expect(failing).toHaveLength(1);
    await sender.running.advance('1h');
    const record = await sender.record(id);
    expect(record).toMatchObject({ state: 'dropped', address: `http://${host}/hook` });
    expect(record.destination).toMatch(new RegExp(`^http://${host}/hook \\([0-9a-f]{12}\\)$`));
    const changes = await store.changesAfter(undefined, 100);
    expect(changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['delivery', 'probation']));
    expect(JSON.stringify([record, failing, changes])).not.toContain('hunter2');
    const basic = `Basic ${Buffer.from('jo:hunter2@tricky').toString('base64')}`;
    expect(receiver.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/hook?code=hunter2', basic],
      ['/hook?code=hunter2', basic],
    ]);
  });

  test('distinguish destinations that differ in nothing else, and can be used to cancel deliveries', async () => {
    const receiver = await sender.receiver();
    const dueAt = sender.jar.clock.now() + MINUTE;
    const to = (code: string) => `${receiver.url}/hook?code=${code}`;
    await sender.enqueue(
      ...['one', 'two'].map((code) => ({
        policy: policy.name,
        destination: to(code),
        url: to(code),
        body: code,
        dueAt,
      })),
    );
    const { store, delivery } = sender.jar;
    const taken = { policy: policy.name, destination: to('one') };
    expect(await store.transact((tx) => delivery.cancel(tx, taken))).toBe(1);
    await sender.running.advance('1m');
    expect(receiver.bodies()).toEqual(['two']);
  });

  test.each([
    ['http:jo:hunter2@host/x', 'http://host/x'],
    [' http://jo:hunter2@host/x', 'http://host/x'],
    ['amqp://jo:hunter2@host/queue', 'amqp://host/queue'],
    ['http://jo:hunter2@:bad:host/x', ':bad:host/x'],
    ['http://host/users/@jo', 'http://host/users/@jo'],
  ])('are not shown where they are hard to see: %s', async (url, address) => {
    const [id = ''] = await sender.enqueue({ policy: policy.name, destination: 'one', url, body: '1' });
    expect((await sender.record(id)).address).toBe(address);
  });

  test('and however long it is, it is a destination like any other', async () => {
    const receiver = await sender.receiver();
    // Incompressible, because a database would compress it.
    const digests = Array.from({ length: 100 }, (_, i) => createHash('sha256').update(String(i)).digest('hex'));
    const url = `${receiver.url}/${digests.join('')}`;
    const [id = ''] = await sender.enqueue(
      { policy: policy.name, destination: url, url, body: '1' },
      { policy: policy.name, destination: `${url}/other`, url, body: '2' },
    );
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({ state: 'delivered', destination: url });
    expect(receiver.bodies().sort()).toEqual(['1', '2']);
  });
});
